-- How was the table: pace, pools, how far hands went?
--   unit_numerator, unit_denominator, currency, decimals   what one counter costs; empty: no price
--   sessions          sessions with a hand
--   hands             hands that are over
--   dealt_in          players dealt in, summed over hands
--   pool              units there were to win, summed over hands
--   pool_median       the median pool; of an even number of hands half-way between the middle two
--   to_draw           hands in which somebody drew or stood pat
--   to_show           hands with a show of two or more
--   unopened          hands in which nobody went in of his own accord before the draw
--   jackpots          jack-pots
--   irregular         hands with an irregularity
--   in_play           counters before the players and in the pool at the hand's beginning, summed over hands
--   kitty, rake       units the kitty took, and the house that runs the table
select
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    count(distinct hands.session) as sessions,
    count(*) as hands,
    cast(sum(hands.dealt_in) as bigint) as dealt_in,
    cast(sum(hands.pool) as bigint) as pool,
    percentile_cont(0.5) within group (order by hands.pool) as pool_median,
    count(case when hands.to_draw then 1 end) as to_draw,
    count(case when hands.to_show then 1 end) as to_show,
    count(case when not hands.gone_in then 1 end) as unopened,
    count(case when hands.jackpot is not null then 1 end) as jackpots,
    count(case when hands.irregular > 0 then 1 end) as irregular,
    cast(sum(hands.in_play) as bigint) as in_play,
    cast(sum(hands.kitty) as bigint) as kitty,
    cast(sum(hands.rake) as bigint) as rake
from table_hands as hands
inner join sessions on sessions.session = hands.session
group by sessions.unit_numerator, sessions.unit_denominator, sessions.currency, sessions.decimals
