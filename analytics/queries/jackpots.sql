-- What did players do in jack-pots?
--   player, part   whose, and which part of the division asked for (empty: no division)
--   jackpot_opened_n, jackpot_opened_of   opened the jack-pot / dealt into a jack-pot
--   jackpot_won_n, jackpot_won_of   won a share of the jack-pot / dealt into a jack-pot
--   false_openings_n, false_openings_of   opened without openers / dealt into a jack-pot
select
    player,
    part,
    cast(sum(jackpot_opened_n) as bigint) as jackpot_opened_n,
    cast(sum(jackpot_opened_of) as bigint) as jackpot_opened_of,
    cast(sum(jackpot_won_n) as bigint) as jackpot_won_n,
    cast(sum(jackpot_won_of) as bigint) as jackpot_won_of,
    cast(sum(false_openings_n) as bigint) as false_openings_n,
    cast(sum(false_openings_of) as bigint) as false_openings_of
from scope
group by player, part
