-- Did draws improve more or less often than the cards alone make them?
-- One row per number of draws that could come, so that chances add up exactly: the expected number of improvements is
-- the sum of hits / total, its variance the sum of spread / (total * total).
--   player, part   whose, and which part of the division
--   total          how many draws could come
--   draws          draws of that kind
--   improved       those in which the class rose
--   hits           the sum over them of the draws that would have raised it
--   spread         the sum of hits * (total - hits)
select
    player,
    part,
    odds_total as total,
    count(*) as draws,
    cast(sum(improved_n) as bigint) as improved,
    sum(cast(odds_hits as decimal(18, 0))) as hits,
    sum(cast(odds_hits as decimal(18, 0)) * cast(odds_total - odds_hits as decimal(18, 0))) as spread
from scope_hands
where odds_total is not null
group by player, part, odds_total
