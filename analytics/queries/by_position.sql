-- What did each place at the table bring in?
--   player, part   whose, and which part of the division
--   position       ante, no_1, no_2 ... dealer; under blinds small, big, no_1 ... dealer
--   hands          hands dealt in there
--   net            units won less lost
select
    player,
    part,
    position,
    cast(sum(hands) as bigint) as hands,
    cast(sum(net) as bigint) as net
from scope_hands
where position is not null
group by player, part, position
