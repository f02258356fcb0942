/** Invented. Some names have letters outside ASCII, as in real life. */
export const sampleFirstNames =
  'Ada Ben Carla Dmitri Elena Farid Grace Hiro Imani José Keiko Liam Mónica Noah Olga Priya Quentin Rosa Samuel Tara Uma Viktor Wendy Xavier Yara Zoë'.split(
    ' ',
  );

export const sampleLastNames =
  'Abbott Bianchi Castillo Duarte Eriksen Fournier Gallagher Haddad Ito Jansen Kowalski Lindqvist Moreau Nguyen Okafor Petrov Quinn Ramírez Schmidt Tanaka Ueda Varga Whitfield Xu Yilmaz Zimmermann'.split(
    ' ',
  );

export const sampleStreets = ['Alder Street', 'Birch Lane', 'Canal Road', 'Dover Avenue', 'Elm Court', 'Foundry Row'];

export const sampleTowns = [
  { city: 'Boston', state: 'MA', zip: '02108', country: 'US' },
  { city: 'New York', state: 'NY', zip: '10036', country: 'US' },
  { city: 'Chicago', state: 'IL', zip: '60607', country: 'US' },
  { city: 'Austin', state: 'TX', zip: '78701', country: 'US' },
  { city: 'Denver', state: 'CO', zip: '80205', country: 'US' },
  { city: 'Seattle', state: 'WA', zip: '98109', country: 'US' },
  { city: 'Toronto', state: 'ON', zip: 'M5V 2T6', country: 'CA' },
] as const;

/** Test cards that the sandbox approves. */
export const sampleCards = ['4111111111111111', '5555555555554444', '4012888888881881'] as const;

export const sampleSellers = ['Front Row Brokers', 'Harbor Seats', 'Lantern Tickets', 'Northside Box Office'] as const;
