! SPDX-License-Identifier: GPL-3.0-or-later
! The same calls with the module mpi, or with mpi_f08 if F08 is defined.
program fortran
#ifdef F08
  use mpi_f08
  implicit none
  type(MPI_Request) :: requests(2), three(3), idle
  type(MPI_Status) :: status, statuses(3)
  type(MPI_Comm) :: part
  type(MPI_Datatype) :: pair
  type(MPI_Message) :: message
#else
  use mpi
  implicit none
  integer :: requests(2), three(3), idle, status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 3), part, pair, message
#endif
  integer :: ierror, rank, size, left, right, index, number, indices(3), sum
  integer, asynchronous :: in(4), out(4)
  logical :: flag

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  out = rank
  call MPI_Sendrecv(out, 1, MPI_INTEGER, right, 3, in, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, ierror)
  call MPI_Irecv(in(1), 1, MPI_INTEGER, left, 4, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Isend(out(1), 1, MPI_INTEGER, right, 4, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
  call MPI_Irecv(in(1), 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Irecv(in(2), 1, MPI_INTEGER, left, 6, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Testany(2, requests, index, flag, MPI_STATUS_IGNORE, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Ssend(out, 1, MPI_INTEGER, right, 6, MPI_COMM_WORLD, ierror)
  call MPI_Waitany(2, requests, index, status, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Ssend(out, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD, ierror)
  call MPI_Waitsome(2, requests, number, indices, statuses, ierror)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, part, ierror)
  call MPI_Comm_set_name(part, "reverse", ierror)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
  call MPI_Type_commit(pair, ierror)
  call MPI_Bcast(in, 1, pair, 0, part, ierror)
  call MPI_Type_free(pair, ierror)
  sum = rank
  call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, part, ierror)
  call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, in, 1, MPI_INTEGER, 0, MPI_COMM_SELF, ierror)
  call MPI_Send_init(out, 1, MPI_INTEGER, MPI_PROC_NULL, 1, part, idle, ierror)
  call MPI_Start(idle, ierror)
  call MPI_Wait(idle, MPI_STATUS_IGNORE, ierror)
  call MPI_Request_free(idle, ierror)
  call MPI_Isend(out, 1, MPI_INTEGER, right, 8, MPI_COMM_WORLD, idle, ierror)
  call MPI_Mprobe(left, 8, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, ierror)
  call MPI_Mrecv(in, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierror)
  call MPI_Wait(idle, status, ierror)
  ! The second and the third of three: where mpi_f08 counts from 0, their numbers are those of the first two.
  call MPI_Irecv(in(1), 1, MPI_INTEGER, left, 11, MPI_COMM_WORLD, three(1), ierror)
  call MPI_Irecv(in(2), 1, MPI_INTEGER, left, 12, MPI_COMM_WORLD, three(2), ierror)
  call MPI_Irecv(in(3), 1, MPI_INTEGER, left, 13, MPI_COMM_WORLD, three(3), ierror)
  call MPI_Send(out, 1, MPI_INTEGER, right, 12, MPI_COMM_WORLD, ierror)
  call MPI_Send(out, 1, MPI_INTEGER, right, 13, MPI_COMM_WORLD, ierror)
  call MPI_Send(out, 1, MPI_INTEGER, right, 14, MPI_COMM_WORLD, ierror)
  call MPI_Recv(in(4), 1, MPI_INTEGER, left, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call MPI_Waitsome(3, three, number, indices, statuses, ierror)
  call MPI_Send(out, 1, MPI_INTEGER, right, 11, MPI_COMM_WORLD, ierror)
  call MPI_Waitall(3, three, MPI_STATUSES_IGNORE, ierror)
  call MPI_Pcontrol(2)
  call MPI_Comm_free(part, ierror)
  print '(i0,a,i0,a,i0)', rank, ' sum ', sum, ' in ', in(1)
  call MPI_Finalize(ierror)
end program fortran
