/**
 * Runs vitest in this process: its report goes to descriptor 3, so that what the runtime and the tests write besides (expected crashes,
 * lines of the log) can go elsewhere. Arguments are filters of files. Started by test.ts.
 */
import { Console } from 'node:console'
import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { createVitest } from 'vitest/node'

const REPORT = 3

/** Writes at once, since the process ends with the last line; waits for a reader that is slow. */
const report = new Writable({
  write(chunk: Buffer, _encoding, done) {
    for (let written = 0; written < chunk.length; ) {
      try {
        written += writeSync(REPORT, chunk, written)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
    }
    done()
  },
})
const vitest = await createVitest('test', { run: true, watch: false })
// Output of workers goes to the logger's streams, and the logger's own lines to the console.
vitest.logger.console = new Console({ stdout: report, stderr: report })
await vitest.start(process.argv.slice(2))
await vitest.exit()
