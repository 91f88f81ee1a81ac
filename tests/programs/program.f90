! SPDX-License-Identifier: GPL-3.0-or-later
! program.h for Fortran.
module program_options
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: options, start_options, refuse_to_run, strikes, strikes_pair, start_value, print_checksum, nobody

    integer, parameter :: nobody = -1

    type, bind(C) :: options
        type(c_ptr) :: program
        integer(c_int) :: steps, size, seed
        type(c_ptr) :: fault
        integer(c_int) :: fault_rank, fault_step
        type(c_ptr) :: truth
        integer(c_int) :: rank, ranks, also_accepted, told
    end type

    interface
        function read_options(argc, argv, program, steps, size, faults) bind(C) result(opt)
            import
            integer(c_int), value :: argc, steps, size
            type(c_ptr), intent(in) :: argv(*)
            type(c_ptr), value :: program, faults
            type(options) :: opt
        end function
        subroutine refuse(opt, sentence) bind(C)
            import
            type(options), intent(in) :: opt
            character(kind=c_char), intent(in) :: sentence(*)
        end subroutine
        function fault_strikes(opt, kind, step, function, peer) bind(C) result(yes)
            import
            type(options), intent(inout) :: opt
            character(kind=c_char), intent(in) :: kind(*), function(*)
            integer(c_int), value :: step, peer
            integer(c_int) :: yes
        end function
        function fault_strikes_pair(opt, kind, step, function, partner) bind(C) result(yes)
            import
            type(options), intent(inout) :: opt
            character(kind=c_char), intent(in) :: kind(*), function(*)
            integer(c_int), value :: step, partner
            integer(c_int) :: yes
        end function
        function start_value(seed, index) bind(C) result(number)
            import
            integer(c_int), value :: seed
            integer(c_long), value :: index
            real(c_double) :: number
        end function
        subroutine print_checksum(opt, checksum) bind(C)
            import
            type(options), intent(in) :: opt
            real(c_double), value :: checksum
        end subroutine
    end interface

    ! C keeps pointers to these for as long as the program runs.
    integer, parameter :: longest = 1024, most = 64
    character(kind=c_char, len=longest), target :: words(0:most), name, kinds

contains

    subroutine start_options(opt, program, steps, size, faults)
        type(options), intent(out) :: opt
        character(*), intent(in) :: program, faults
        integer, intent(in) :: steps, size
        type(c_ptr) :: argv(0:most)
        integer :: i, count
        count = min(command_argument_count(), most)
        do i = 0, count
            call get_command_argument(i, words(i))
            words(i) = trim(words(i))//c_null_char
            argv(i) = c_loc(words(i))
        end do
        name = program//c_null_char
        kinds = faults//c_null_char
        opt = read_options(count + 1, argv, c_loc(name), steps, size, c_loc(kinds))
    end subroutine

    subroutine refuse_to_run(opt, sentence)
        type(options), intent(in) :: opt
        character(*), intent(in) :: sentence
        call refuse(opt, sentence//c_null_char)
    end subroutine

    logical function strikes(opt, kind, step, function, peer)
        type(options), intent(inout) :: opt
        character(*), intent(in) :: kind, function
        integer, intent(in) :: step, peer
        strikes = fault_strikes(opt, kind//c_null_char, step, function//c_null_char, peer) /= 0
    end function

    logical function strikes_pair(opt, kind, step, function, partner)
        type(options), intent(inout) :: opt
        character(*), intent(in) :: kind, function
        integer, intent(in) :: step, partner
        strikes_pair = fault_strikes_pair(opt, kind//c_null_char, step, function//c_null_char, partner) /= 0
    end function
end module
