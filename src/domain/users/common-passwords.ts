/** The most common passwords, limited to those long enough to be chosen. */

let known: Promise<ReadonlySet<string>> | null = null

/** Returns whether the password is on the list, ignoring case. */
export const isCommon = async (password: string, shortest: number): Promise<boolean> => {
  known ??= load(shortest)
  return (await known).has(password.toLowerCase())
}

/** Loads the list on first use, because loading is slow and few processes ever need it. */
const load = async (shortest: number): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= shortest))
}
