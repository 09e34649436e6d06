/** Who is in the second act. Everybody is made up, and the numbers are of a range that belongs to nobody. */
export interface Person {
  name: string
  phone: string
}

/** A cart that somebody left, as the shop tells of it. */
export interface Cart {
  cartId: string
  total: number
  currency: string
  items: { name: string; qty: number }[]
}

const person = (name: string, number: number): Person => ({ name, phone: `+447700900${number}` })

const cart = (cartId: string, total: number, item: string): Cart => ({
  cartId,
  total,
  currency: 'EUR',
  items: [{ name: item, qty: 1 }],
})

export type Left = Person & { cart: Cart }

/** Each does something else about the cart. */
export const cast = {
  /** Says yes. */
  ana: { ...person('Ana Moreno', 101), cart: cart('C-2041', 129.95, 'Floor lamp, brass') },
  /** Pays in the shop meanwhile. */
  bruno: { ...person('Bruno Keller', 102), cart: cart('C-2042', 249, 'Oak side table') },
  /** Says nothing. */
  clara: { ...person('Clara Jensen', 103), cart: cart('C-2043', 64.5, 'Linen tablecloth') },
  /** Says STOP. */
  david: { ...person('David Okafor', 104), cart: cart('C-2044', 89.9, 'Desk lamp, green') },
  /** Asks something. */
  emma: { ...person('Emma Laurent', 105), cart: cart('C-2045', 219.5, 'Wool rug, grey') },
  /** Left too little to be reminded of it. */
  felix: { ...person('Felix Novak', 106), cart: cart('C-2046', 12.5, 'Fig candle') },
} satisfies Record<string, Left>

/** These write without having been written to. */
export const greta = person('Greta Lindqvist', 107)
export const hugo = person('Hugo Marchetti', 108)

/** What Emma gets, for the price that a person gave her. */
export const agreed = { item: 'Wool rug, blue', amount: 199.95, currency: 'EUR' }

export const agent = { name: 'Noor Haddad', email: 'noor@example.com' }

/** What became of the opt-in of a regular customer of the shop. */
export type Consent = 'opted in' | 'never asked' | 'opted out'

const cities = ['Lisbon', 'Utrecht', 'Graz', 'Bergen']

/** The shop's list of regular customers; David is on it as well. */
export const regulars: (Person & { consent: Consent; city: string })[] = [
  ...[
    'Ada Brandt',
    'Ben Castell',
    'Carla Duarte',
    'Dina Eklund',
    'Elif Tuna',
    'Finn Okoye',
    'Gina Haas',
    'Henk Visser',
  ],
  ...['Ines Rocha', 'Jan Kowal', 'Kaya Lund', 'Leo Marin', 'Mila Novak', 'Nils Olsen', 'Olga Petrova', 'Paul Quist'],
  ...[
    'Rosa Silva',
    'Sami Toivonen',
    'Tara Urban',
    'Ugo Verdi',
    'Vera Weiss',
    'Wim Janssen',
    'Xenia Ypma',
    'Yann Zeller',
  ],
  ...['Zoe Albers', 'Anton Berg', 'Bianca Conti', 'Cem Demir', 'Dora Engel', 'Emil Frost', 'Fay Grant', 'Gus Holt'],
  ...['Hana Ito', 'Ivo Jansky', 'Jana Kraus'],
].map((name, index) => ({
  ...person(name, 200 + index),
  consent: index < 29 ? 'opted in' : index < 33 ? 'never asked' : 'opted out',
  city: cities[index % cities.length]!,
}))
