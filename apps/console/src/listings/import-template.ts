/** A file of listings to begin with: the columns that most need, and one line. */
export const TEMPLATE = [
  'listing_id,event_id,section,row,seats,quantity,split_rule,price,fees,wholesale_price,delivery_methods,notes',
  'my-listing-1,5512,101,C,"[""5"",""6""]",2,any,80,12,70,"[{""type"":""download"",""name"":""E-tickets"",""cost"":0}]",Aisle seats',
  '',
].join('\r\n');
