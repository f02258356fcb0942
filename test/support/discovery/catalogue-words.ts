/** Words for the names of a generated catalogue. */
export const FIRST_WORDS =
  `Silver Golden Crimson Velvet Electric Broken Hollow Midnight Northern Southern Paper Iron Crystal Lonely Wild Quiet Neon Marble
  Ancient Burning Frozen Distant Hidden Secret Holy Lucky Royal Rusty Savage Gentle Restless Bitter Sweet Copper Amber Scarlet
  Emerald Violet Ivory Cobalt Dusty Foggy Stormy Sunny Rolling Falling Rising Flying Dancing Singing Dreaming Wandering Sleeping
  Running Laughing Roaring Whistling Humming Painted Carved Woven Tiny Mighty Grand Humble Noble Clever Curious Daring Eager
  Fearless Graceful Honest Jolly Kindly Lively Merry Nimble Proud Rapid Steady Tender Valiant Witty Zesty Élan Señor Björk Zoë
  Último Château Größe Café Noël Ünder`.split(/\s+/);

export const SECOND_WORDS =
  `Foxes Wolves Ravens Sparrows Tigers Horses Rivers Mountains Valleys Oceans Islands Gardens Forests Deserts Meadows Bridges Towers
  Castles Temples Mirrors Lanterns Candles Engines Rockets Satellites Comets Planets Galaxies Shadows Echoes Whispers Thunders
  Lightnings Rainbows Clouds Storms Winters Summers Springs Autumns Mornings Evenings Sundays Mondays Strangers Lovers Dreamers
  Dancers Sailors Pilots Soldiers Farmers Bakers Painters Poets Prophets Wizards Giants Dwarves Kings Queens Princes Jokers Clowns
  Acrobats Magicians Detectives Bandits Pirates Vikings Samurai Pharaohs Gladiators Monks Angels Demons Ghosts Skeletons Zombies
  Robots Machines Circuits Diamonds Pearls Rubies Sapphires Opals Roses Lilies Violets Daisies Orchids Ferns Cedars Willows Maples
  Oaks Pines`.split(/\s+/);

export const TEAM_WORDS =
  `Aces Badgers Captains Comets Cougars Cyclones Dukes Falcons Gulls Hammers Herons Hornets Jackals Knights Lancers Lynx Mariners
  Monarchs Mustangs Otters Owls Panthers Pilots Rangers Rockets Scouts Sentinels Sharks Stags Stallions Storm Titans Trailers
  Vikings Wasps Whalers Wizards Wranglers Yaks Zephyrs`.split(/\s+/);

export const VENUE_WORDS =
  'Arena Theatre Hall Stadium Center Amphitheater Ballroom Club Garden Pavilion Park Coliseum'.split(' ');

/** City, state, country, postal code, latitude, longitude, hours from UTC, weight (share of events). */
export const CITIES =
  `New York,NY,US,10001,40.75,-73.99,-5,90;Los Angeles,CA,US,90015,34.04,-118.27,-8,70;Chicago,IL,US,60601,41.88,-87.63,-6,60
  Houston,TX,US,77002,29.76,-95.36,-6,35;Phoenix,AZ,US,85004,33.45,-112.07,-7,25;Philadelphia,PA,US,19107,39.95,-75.16,-5,35
  San Antonio,TX,US,78205,29.42,-98.49,-6,15;San Diego,CA,US,92101,32.72,-117.16,-8,25;Dallas,TX,US,75201,32.78,-96.8,-6,35
  Austin,TX,US,78701,30.27,-97.74,-6,30;San Francisco,CA,US,94103,37.77,-122.41,-8,35;Seattle,WA,US,98101,47.61,-122.33,-8,30
  Denver,CO,US,80202,39.75,-104.99,-7,30;Washington,DC,US,20001,38.91,-77.02,-5,35;Nashville,TN,US,37203,36.15,-86.79,-6,40
  Boston,MA,US,02111,42.35,-71.06,-5,40;Las Vegas,NV,US,89109,36.13,-115.16,-8,45;Portland,OR,US,97205,45.52,-122.69,-8,20
  Detroit,MI,US,48226,42.33,-83.05,-5,20;Atlanta,GA,US,30303,33.75,-84.39,-5,35;Miami,FL,US,33132,25.78,-80.18,-5,25
  Minneapolis,MN,US,55403,44.97,-93.28,-6,25;New Orleans,LA,US,70112,29.96,-90.08,-6,20;Cleveland,OH,US,44115,41.49,-81.68,-5,20
  Kansas City,MO,US,64106,39.11,-94.58,-6,15;Portland,ME,US,04101,43.66,-70.26,-5,8;Brooklyn,NY,US,11217,40.68,-73.98,-5,30
  Newark,NJ,US,07102,40.74,-74.17,-5,15;Anaheim,CA,US,92806,33.8,-117.88,-8,12;Oakland,CA,US,94621,37.75,-122.2,-8,12
  Toronto,ON,CA,M5V,43.64,-79.39,-5,35;Montréal,QC,CA,H3B,45.5,-73.57,-5,25;Vancouver,BC,CA,V6B,49.28,-123.11,-8,20
  Ottawa,ON,CA,K1P,45.42,-75.7,-5,8;London,,GB,SW1A,51.5,-0.12,0,20;México,,MX,06000,19.43,-99.13,-6,10;Suva,,FJ,,-18.14,178.44,12,2`
    .split(/;|\n\s*/)
    .map((line) => {
      const [name = '', state = '', country = '', postalCode = '', ...numbers] = line.split(',');
      const [lat = 0, lon = 0, hours = 0, weight = 0] = numbers.map(Number);
      return { name, state: state || null, country, postalCode: postalCode || null, lat, lon, hours, weight };
    });

/** Id, name and parent: a part of the real taxonomy tree. */
export const TAXONOMIES =
  `1000000 sports;1010000 baseball 1000000;1010100 mlb 1010000;1020000 football 1000000;1020100 nfl 1020000
  1030000 basketball 1000000;1030100 nba 1030000;1040000 hockey 1000000;1040100 nhl 1040000;2000000 concert
  2010000 music_festival 2000000;3000000 theater;3040000 comedy 3000000;3010000 classical 3000000;3010100 classical_opera 3010000`
    .split(/;|\n\s*/)
    .map((line) => {
      const [id = '', name = '', parent] = line.split(' ');
      return { id: Number(id), name, parent_id: parent === undefined ? null : Number(parent) };
    });

export const GENRES = 'Country Pop Rock Alternative Indie Punk Blues Soul Folk Jazz Reggae Electronic Rap Funk Latin'
  .split(' ')
  .map((name, at) => ({ id: 450 + at, name, slug: name.toLowerCase() }));
