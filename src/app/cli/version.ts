/** `version` or `--version`: prints the version of the service. */
import manifest from '../../../package.json' with { type: 'json' }

/** Prints only the version, for example `0.2.0`. Needs no settings. */
export const version = async (): Promise<number> => {
  process.stdout.write(`${manifest.version}\n`)
  return 0
}
