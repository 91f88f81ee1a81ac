! SPDX-License-Identifier: GPL-3.0-or-later
! Heat in a plate of size x size points by alternating directions (Peaceman and Rachford), in bands along y. The implicit sweep along
! x is local; the one along y goes through all ranks and back, block by block of columns, with blocking Send and Recv. The explicit
! half needs the neighbours' lines: Irecv, Isend, Waitall. Root sends the time step with Bcast and gets the change by Reduce.
module adi_solver
    use mpi
    use program_options
    implicit none
    private
    public :: set_up_plate, solve, weighted_sum

    integer, parameter :: dp = kind(1d0)
    integer, parameter :: blocks = 4
    integer, parameter :: tag_down = 30, tag_up = 31, tag_forward = 32, tag_back = 33
    integer :: n, lines, above, below            ! points along x; lines of this rank; neighbours
    real(dp), allocatable :: u(:, :)             ! n x (0:lines+1)
    real(dp), allocatable :: rhs(:, :), c(:, :)  ! of the tridiagonal systems: right side, and eliminated upper diagonal

contains

    ! The rank that shares a fault with another: the one below, or of the last rank the one above.
    integer function partner_of(opt, rank)
        type(options), intent(in) :: opt
        integer, intent(in) :: rank
        partner_of = merge(rank + 1, rank - 1, rank + 1 < opt%ranks)
    end function

    subroutine set_up_plate(opt)
        type(options), intent(in) :: opt
        integer :: i, j
        if (opt%ranks < 2 .or. mod(opt%size, opt%ranks) /= 0 .or. mod(opt%size, blocks) /= 0) &
            call refuse_to_run(opt, 'needs two ranks or more; they, and 4, must divide the size.')
        n = opt%size
        lines = n/opt%ranks
        above = merge(opt%rank - 1, MPI_PROC_NULL, opt%rank > 0)
        below = merge(opt%rank + 1, MPI_PROC_NULL, opt%rank + 1 < opt%ranks)
        allocate (u(n, 0:lines + 1), rhs(n, lines), c(n, lines))
        u = 0
        do j = 1, lines
            do i = 1, n
                u(i, j) = start_value(opt%seed, (int(opt%rank, 8)*lines + j)*n + i)
            end do
        end do
    end subroutine

    subroutine read_time_step(step, dt)
        integer, intent(in) :: step
        real(dp), intent(out) :: dt
        integer :: error
        dt = 0.4_dp + 0.1_dp/step
        call MPI_Bcast(dt, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
    end subroutine

    subroutine exchange_lines(opt, step)
        type(options), intent(inout) :: opt
        integer, intent(in) :: step
        integer :: requests(4), error, partner, to_above, to_below
        call MPI_Irecv(u(:, 0), n, MPI_DOUBLE_PRECISION, above, tag_down, MPI_COMM_WORLD, requests(1), error)
        call MPI_Irecv(u(:, lines + 1), n, MPI_DOUBLE_PRECISION, below, tag_up, MPI_COMM_WORLD, requests(2), error)
        partner = partner_of(opt, opt%fault_rank)
        if (strikes_pair(opt, 'deadlock', step, 'exchange_lines', partner)) &
            call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error) ! BUG: waits for the neighbours before it sends to them
        to_above = above
        to_below = below
        if (strikes(opt, 'skipped-send', step, 'exchange_lines', partner)) then
            if (partner > opt%rank) to_below = MPI_PROC_NULL ! BUG: takes this side for the edge of the plate
            if (partner < opt%rank) to_above = MPI_PROC_NULL
        end if
        call MPI_Isend(u(:, lines), n, MPI_DOUBLE_PRECISION, to_below, tag_down, MPI_COMM_WORLD, requests(3), error)
        call MPI_Isend(u(:, 1), n, MPI_DOUBLE_PRECISION, to_above, tag_up, MPI_COMM_WORLD, requests(4), error)
        call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
    end subroutine

    ! Explicit along y, implicit along x.
    subroutine sweep_x(opt, step, dt)
        type(options), intent(inout) :: opt
        integer, intent(in) :: step
        real(dp), intent(in) :: dt
        integer :: i, j, pass, passes, advance
        real(dp) :: pivot
        advance = 1
        passes = 1
        if (strikes(opt, 'spin', step, 'sweep_x', nobody)) advance = 0 ! BUG: lines per thread are rounded down to 0
        if (strikes(opt, 'slow', step, 'sweep_x', nobody)) passes = 5  ! BUG: computed anew for each of its readers
        do pass = 1, passes
            j = 1
            do while (j <= lines)
                do i = 1, n
                    rhs(i, j) = u(i, j) + 0.5_dp*dt*(u(i, j - 1) - 2*u(i, j) + u(i, j + 1))
                end do
                pivot = 1 + dt
                c(1, j) = -0.5_dp*dt/pivot
                rhs(1, j) = rhs(1, j)/pivot
                do i = 2, n
                    pivot = 1 + dt + 0.5_dp*dt*c(i - 1, j)
                    c(i, j) = -0.5_dp*dt/pivot
                    rhs(i, j) = (rhs(i, j) + 0.5_dp*dt*rhs(i - 1, j))/pivot
                end do
                do i = n - 1, 1, -1
                    rhs(i, j) = rhs(i, j) - c(i, j)*rhs(i + 1, j)
                end do
                j = j + advance
            end do
        end do
        u(:, 1:lines) = rhs
    end subroutine

    ! Explicit along x.
    subroutine prepare_y(opt, step, dt)
        type(options), intent(inout) :: opt
        integer, intent(in) :: step
        real(dp), intent(in) :: dt
        integer :: i, j
        integer(8) :: first
        first = 1
        if (strikes(opt, 'crash', step, 'prepare_y', nobody)) first = 2_8**40 ! BUG: an index into another, larger field
        do j = 1, lines
            rhs(first, j) = u(first, j) + 0.5_dp*dt*(-2*u(first, j) + u(first + 1, j))
            do i = 2, n - 1
                rhs(i, j) = u(i, j) + 0.5_dp*dt*(u(i - 1, j) - 2*u(i, j) + u(i + 1, j))
            end do
            rhs(n, j) = u(n, j) + 0.5_dp*dt*(u(n - 1, j) - 2*u(n, j))
        end do
    end subroutine

    ! Elimination from the first rank to the last, in blocks of columns.
    subroutine eliminate_y(dt)
        real(dp), intent(in) :: dt
        real(dp) :: edge(n/blocks, 2), pivot
        integer :: block, i, j, k, error
        do block = 0, blocks - 1
            edge = 0
            call MPI_Recv(edge, size(edge), MPI_DOUBLE_PRECISION, above, tag_forward, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
            do j = 1, lines
                do k = 1, n/blocks
                    i = block*(n/blocks) + k
                    pivot = 1 + dt + 0.5_dp*dt*edge(k, 1)
                    c(i, j) = -0.5_dp*dt/pivot
                    rhs(i, j) = (rhs(i, j) + 0.5_dp*dt*edge(k, 2))/pivot
                    edge(k, 1) = c(i, j)
                    edge(k, 2) = rhs(i, j)
                end do
            end do
            call MPI_Send(edge, size(edge), MPI_DOUBLE_PRECISION, below, tag_forward, MPI_COMM_WORLD, error)
        end do
    end subroutine

    ! Back substitution from the last rank to the first.
    subroutine substitute_y()
        real(dp) :: edge(n/blocks)
        integer :: block, i, j, k, error
        do block = 0, blocks - 1
            edge = 0
            call MPI_Recv(edge, size(edge), MPI_DOUBLE_PRECISION, below, tag_back, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
            do j = lines, 1, -1
                do k = 1, n/blocks
                    i = block*(n/blocks) + k
                    rhs(i, j) = rhs(i, j) - c(i, j)*edge(k)
                    edge(k) = rhs(i, j)
                end do
            end do
            call MPI_Send(edge, size(edge), MPI_DOUBLE_PRECISION, above, tag_back, MPI_COMM_WORLD, error)
        end do
    end subroutine

    subroutine report_change(opt, step)
        type(options), intent(inout) :: opt
        integer, intent(in) :: step
        real(dp) :: change, all
        integer :: error
        change = sum(abs(rhs - u(:, 1:lines)))
        if (strikes(opt, 'abort', step, 'report_change', nobody)) change = -change ! BUG: a wrong sign, no change is negative
        if (change < 0) call MPI_Abort(MPI_COMM_WORLD, 8, error)
        u(:, 1:lines) = rhs
        if (strikes(opt, 'mismatch', step, 'report_change', nobody)) then ! BUG: Allreduce where all others call Reduce
            call MPI_Allreduce(change, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
        else
            call MPI_Reduce(change, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
        end if
    end subroutine

    subroutine time_step(opt, step)
        type(options), intent(inout) :: opt
        integer, intent(in) :: step
        real(dp) :: dt
        call MPI_Pcontrol(1)
        call read_time_step(step, dt)
        call exchange_lines(opt, step)
        call sweep_x(opt, step, dt)
        call prepare_y(opt, step, dt)
        call eliminate_y(dt)
        call substitute_y()
        call report_change(opt, step)
    end subroutine

    ! Whether all steps were made.
    logical function solve(opt)
        type(options), intent(inout) :: opt
        integer :: step
        solve = .false.
        do step = 1, opt%steps
            call time_step(opt, step)
            if (strikes(opt, 'early-exit', step, 'solve', nobody)) return ! BUG: one rank alone takes its part for settled
        end do
        call MPI_Pcontrol(0)
        solve = .true.
    end function

    real(dp) function weighted_sum(opt)
        type(options), intent(in) :: opt
        real(dp) :: part
        integer :: i, j, error
        part = 0
        do j = 1, lines
            do i = 1, n
                part = part + u(i, j)*(1 + 0.001_dp*i + 0.002_dp*(opt%rank*lines + j))
            end do
        end do
        call MPI_Reduce(part, weighted_sum, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    end function
end module

program adi
    use mpi
    use adi_solver
    use program_options
    implicit none
    type(options) :: opt
    integer :: error
    call MPI_Init(error)
    call start_options(opt, 'adi', 60, 320, 'spin skipped-send early-exit crash abort mismatch deadlock slow')
    call set_up_plate(opt)
    if (solve(opt)) call print_checksum(opt, weighted_sum(opt))
    call MPI_Finalize(error)
end program
