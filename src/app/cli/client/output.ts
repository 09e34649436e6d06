/** Watches standard output, whose reader can end at any time, for example `head`. */

const controller = new AbortController()

/**
 * Returns a signal that aborts when standard output can no longer be written. A closed pipe is no failure. Any other
 * error, such as a full disk, is reported and sets the exit status 1. May be called several times.
 */
export const watchOutput = (): AbortSignal => {
  if (!process.stdout.listeners('error').includes(onError)) process.stdout.on('error', onError)
  return controller.signal
}

const onError = (error: NodeJS.ErrnoException): void => {
  controller.abort(error)
  if (error.code === 'EPIPE') return
  process.stderr.write(`Standard output cannot be written: ${error.message}.\n`)
  process.exitCode = 1
}
