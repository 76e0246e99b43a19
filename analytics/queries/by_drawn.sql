-- How often did a player win at the show, by the number of cards he had drawn?
--   player, part        whose, and which part of the division
--   drawn               cards drawn; 0: stood pat
--   won_n, won_of       won a share / was in at the show
select
    player,
    part,
    drawn,
    cast(sum(won_at_show_n) as bigint) as won_n,
    cast(sum(won_at_show_of) as bigint) as won_of
from scope_hands
where at_show = 1 and drawn is not null
group by player, part, drawn
