/** Passwords that everybody tries first, those of them that are long enough to be chosen at all. */

let known: Promise<ReadonlySet<string>> | null = null

/** Whether it is on the list, however its letters are cased. */
export const isCommon = async (password: string, shortest: number): Promise<boolean> => {
  known ??= load(shortest)
  return (await known).has(password.toLowerCase())
}

/** Loaded when the first is asked for: few processes are ever told a new password, and it takes a while. */
const load = async (shortest: number): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= shortest))
}
