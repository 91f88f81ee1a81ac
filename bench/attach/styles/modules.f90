! SPDX-License-Identifier: GPL-3.0-or-later
! Programs in the manner of Fortran applications (modules, derived types, Cartesian grids) that hang in one way each (f...), and one
! that does not (fk1); the name by which it is called chooses (truth.jsonl).
module moment
  implicit none
contains
  subroutine about_to_hang()
    character(len=1024) :: file
    integer :: unit, length
    call get_environment_variable("MOMENT_FILE", file, length)
    if (length == 0) return
    open (newunit=unit, file=trim(file), status="replace")
    close (unit)
  end subroutine
end module

module grids
  use mpi
  implicit none
  type :: grid_t
    integer :: comm, rows, columns, me, ranks, up, down
  end type
contains
  subroutine make_grid(grid)
    type(grid_t), intent(out) :: grid
    integer :: error, dims(2)
    call MPI_Comm_size(MPI_COMM_WORLD, grid%ranks, error)
    dims = 0
    call MPI_Dims_create(grid%ranks, 2, dims, error)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .true.], .false., grid%comm, error)
    call MPI_Comm_rank(grid%comm, grid%me, error)
    call MPI_Cart_shift(grid%comm, 0, 1, grid%up, grid%down, error)
    call MPI_Cart_sub(grid%comm, [.false., .true.], grid%rows, error)
    call MPI_Cart_sub(grid%comm, [.true., .false.], grid%columns, error)
  end subroutine
end module

module solver
  use mpi
  use moment
  use grids
  implicit none
  integer, parameter :: cells = 64
  double precision :: field(cells), ghost(cells)
contains
  ! f1: one rank transposes along its row a second time.
  subroutine transpose_both(grid, step)
    type(grid_t), intent(in) :: grid
    integer, intent(in) :: step
    integer :: along
    call transpose(grid%rows)
    along = grid%columns
    if (grid%me == 6 .and. step == 5) then
      call about_to_hang()
      along = grid%rows
    end if
    call transpose(along)
  end subroutine
  subroutine transpose(comm)
    integer, intent(in) :: comm
    integer :: error, ranks
    call MPI_Comm_size(comm, ranks, error)
    call MPI_Alltoall(field, cells/ranks, MPI_DOUBLE_PRECISION, ghost, cells/ranks, MPI_DOUBLE_PRECISION, comm, error)
    field = 0.5d0*(field + ghost)
  end subroutine

  ! f2: rank 0 reads from a pipe into which nobody writes.
  subroutine read_parameters(grid, step)
    type(grid_t), intent(in) :: grid
    integer, intent(in) :: step
    integer :: error, unit, known
    character(len=200) :: folder
    if (grid%me == 0 .and. step == 5) then
      call get_environment_variable("TMPDIR", folder, status=known)
      if (known /= 0) folder = "."
      folder = trim(folder)//"/attach-styles-pipe"
      call execute_command_line("test -p '"//trim(folder)//"' || mkfifo '"//trim(folder)//"'")
      call about_to_hang()
      open (newunit=unit, file=trim(folder), action="read")
      read (unit, *) field(1)
      close (unit)
    end if
    call MPI_Bcast(field, cells, MPI_DOUBLE_PRECISION, 0, grid%comm, error)
  end subroutine

  ! f3: one rank counts its messages wrongly, and sends with a tag that nobody expects.
  subroutine exchange(grid, step)
    type(grid_t), intent(in) :: grid
    integer, intent(in) :: step
    integer :: error, tag, status(MPI_STATUS_SIZE), request
    double precision :: own, all
    tag = 100 + step
    call MPI_Irecv(ghost, cells, MPI_DOUBLE_PRECISION, grid%up, tag, grid%comm, request, error)
    if (grid%me == 9 .and. step == 5) then
      call about_to_hang()
      tag = tag + 1
    end if
    call MPI_Send(field, cells, MPI_DOUBLE_PRECISION, grid%down, tag, grid%comm, error)
    call MPI_Wait(request, status, error)
    own = sum(ghost)
    call MPI_Allreduce(own, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, grid%comm, error)
  end subroutine

  ! fk1: relaxation with an exchange.
  subroutine relax(grid, step)
    type(grid_t), intent(in) :: grid
    integer, intent(in) :: step
    integer :: i, sweep
    do sweep = 1, 200 + 100*mod(grid%me*step, 7)
      do i = 2, cells - 1
        field(i) = 0.4d0*field(i) + 0.3d0*(field(i - 1) + field(i + 1))
      end do
    end do
    call exchange(grid, -mod(step, 50))
  end subroutine
end module

program modules
  use mpi
  use grids
  use solver
  implicit none
  character(len=1024) :: path
  character(len=8) :: name
  type(grid_t) :: grid
  integer :: error, step, steps
  call MPI_Init(error)
  call make_grid(grid)
  field = grid%me
  ghost = 0
  call get_command_argument(0, path)
  name = path(index(path, "/", back=.true.) + 1:)
  steps = merge(2000000, 10, name == "fk1")
  do step = 1, steps
    select case (name)
    case ("f1"); call transpose_both(grid, step)
    case ("f2"); call read_parameters(grid, step)
    case ("f3"); call exchange(grid, step)
    case ("fk1"); call relax(grid, step)
    end select
  end do
  call MPI_Finalize(error)
end program
