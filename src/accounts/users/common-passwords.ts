/** The most common passwords, limited to those long enough to be chosen. */

let passwords: Promise<ReadonlySet<string>> | null = null

/** Returns whether the password is on the list, ignoring case. */
export const isCommon = async (password: string, minLength: number): Promise<boolean> => {
  passwords ??= load(minLength)
  return (await passwords).has(password.toLowerCase())
}

/** Loads the list on first use, because loading is slow and few processes ever need it. */
const load = async (minLength: number): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= minLength))
}
