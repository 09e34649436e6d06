/** Customers of the second act. All are fictional, with phone numbers from a range that is never assigned. */
export interface Person {
  name: string
  phone: string
}

/** An abandoned cart, as the shop reports it. */
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

export type CartCustomer = Person & { cart: Cart }

/** Customers who react differently to the reminder of their cart. */
export const customers = {
  /** Answers yes. */
  ana: { ...person('Ana Moreno', 101), cart: cart('C-2041', 129.95, 'Floor lamp, brass') },
  /** Pays in the shop. */
  bruno: { ...person('Bruno Keller', 102), cart: cart('C-2042', 249, 'Oak side table') },
  /** Does not answer. */
  clara: { ...person('Clara Jensen', 103), cart: cart('C-2043', 64.5, 'Linen tablecloth') },
  /** Answers STOP. */
  david: { ...person('David Okafor', 104), cart: cart('C-2044', 89.9, 'Desk lamp, green') },
  /** Asks a question. */
  emma: { ...person('Emma Laurent', 105), cart: cart('C-2045', 219.95, 'Wool rug, grey') },
  /** Has a total below the minimum for a reminder. */
  felix: { ...person('Felix Novak', 106), cart: cart('C-2046', 12.5, 'Fig candle') },
} satisfies Record<string, CartCustomer>

/** Customers who write without a previous message. */
export const greta = person('Greta Lindqvist', 107)
export const hugo = person('Hugo Marchetti', 108)

/** The item and price that an agent agreed on with Emma. */
export const agreedSale = { item: 'Wool rug, blue', amount: 199.95, currency: 'EUR' }

export const agent = { name: 'Noor Haddad', email: 'noor@example.com' }

/** Consent of a regular customer of the shop. */
export type Consent = 'opted in' | 'never asked' | 'opted out'

const cities = ['Lisbon', 'Utrecht', 'Graz', 'Bergen']

/** The shop's list of regular customers. David is added to it separately. */
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
