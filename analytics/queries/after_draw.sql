-- What did players do after the draw?
--   player, part   whose, and which part of the division asked for (empty: no division)
--   bets   stakes that opened or bet, both rounds
--   raises   stakes above another's, both rounds
--   calls   stakes that matched, both rounds
--   passes   hands given up
--   checks   times he stood
--   bet_after_n, bet_after_of   bet after the draw / had a say after the draw with no bet standing
--   check_raised_n, check_raised_of   raised after checking / had checked and faced a bet after the draw
--   raised_after_n, raised_after_of   raised after the draw / faced a bet after the draw
--   called_after_n, called_after_of   called after the draw / as raised_after
--   passed_after_n, passed_after_of   passed to a bet after the draw / as raised_after
select
    player,
    part,
    cast(sum(bets) as bigint) as bets,
    cast(sum(raises) as bigint) as raises,
    cast(sum(calls) as bigint) as calls,
    cast(sum(passes) as bigint) as passes,
    cast(sum(checks) as bigint) as checks,
    cast(sum(bet_after_n) as bigint) as bet_after_n,
    cast(sum(bet_after_of) as bigint) as bet_after_of,
    cast(sum(check_raised_n) as bigint) as check_raised_n,
    cast(sum(check_raised_of) as bigint) as check_raised_of,
    cast(sum(raised_after_n) as bigint) as raised_after_n,
    cast(sum(raised_after_of) as bigint) as raised_after_of,
    cast(sum(called_after_n) as bigint) as called_after_n,
    cast(sum(called_after_of) as bigint) as called_after_of,
    cast(sum(passed_after_n) as bigint) as passed_after_n,
    cast(sum(passed_after_of) as bigint) as passed_after_of
from scope
group by player, part
