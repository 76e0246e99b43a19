-- What did players do at the draw, and what came of it?
--   player, part   whose, and which part of the division asked for (empty: no division)
--   drew   hands in which the draw came to him
--   passed_before   hands passed before he drew
--   cards   cards drawn
--   drew_0   draws of 0 (stood pat)
--   drew_1   draws of 1
--   drew_2   draws of 2
--   drew_3   draws of 3
--   drew_4   draws of 4
--   drew_5   draws of 5
--   pat_n, pat_of   stood pat / the draw came to him
--   pat_won_n, pat_won_of   won a share of the pool / stood pat
--   pat_won_without_show_n, pat_won_without_show_of   won with no show / stood pat
--   pat_unmade_n, pat_unmade_of   showed less than a straight / stood pat and his hand was shown
--   improved_n, improved_of   the class of his hand rose / drew one card or more, both hands known, pack not run out
--   best_draw_n, best_draw_of   kept the cards with the best prospect / drew or stood pat, hand and discards known
select
    player,
    part,
    cast(sum(drew) as bigint) as drew,
    cast(sum(passed_before) as bigint) as passed_before,
    cast(sum(cards) as bigint) as cards,
    cast(sum(drew_0) as bigint) as drew_0,
    cast(sum(drew_1) as bigint) as drew_1,
    cast(sum(drew_2) as bigint) as drew_2,
    cast(sum(drew_3) as bigint) as drew_3,
    cast(sum(drew_4) as bigint) as drew_4,
    cast(sum(drew_5) as bigint) as drew_5,
    cast(sum(pat_n) as bigint) as pat_n,
    cast(sum(pat_of) as bigint) as pat_of,
    cast(sum(pat_won_n) as bigint) as pat_won_n,
    cast(sum(pat_won_of) as bigint) as pat_won_of,
    cast(sum(pat_won_without_show_n) as bigint) as pat_won_without_show_n,
    cast(sum(pat_won_without_show_of) as bigint) as pat_won_without_show_of,
    cast(sum(pat_unmade_n) as bigint) as pat_unmade_n,
    cast(sum(pat_unmade_of) as bigint) as pat_unmade_of,
    cast(sum(improved_n) as bigint) as improved_n,
    cast(sum(improved_of) as bigint) as improved_of,
    cast(sum(best_draw_n) as bigint) as best_draw_n,
    cast(sum(best_draw_of) as bigint) as best_draw_of
from scope
group by player, part
