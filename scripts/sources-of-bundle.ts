/** The origin of a bundle's code. */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { buildWorker, type Entry, MAIN_MODULE } from './build.ts'
import { fromJson } from './json.ts'

/** A file of the project or of its libraries, and a line of it, counted from 1. */
export interface SourcePlace {
  readonly file: string
  readonly line: number
}

export class SourcesOfBundle {
  readonly #map: SourceMap

  private constructor(map: SourceMap) {
    this.#map = map
  }

  /** Returns the sources of this checkout's bundle, which is built if necessary. */
  static async open(entry: Entry): Promise<SourcesOfBundle> {
    const { folder } = await buildWorker(entry)
    const text = readFileSync(join(folder, `${MAIN_MODULE}.map`), 'utf8')
    return new SourcesOfBundle(new SourceMap(fromJson<SourceMap['payload']>(text)))
  }

  /** Returns the source location of a location in the bundle. Both numbers are counted from 0. */
  placeOf(line: number, column: number): SourcePlace | undefined {
    const entry = this.#map.findEntry(line, column)
    if (!('originalSource' in entry)) return undefined
    const [file] = /(?:src|node_modules)\/.*/.exec(entry.originalSource) ?? []
    return file === undefined ? undefined : { file, line: entry.originalLine + 1 }
  }

  /** Returns a stack with locations in the source instead of those in the bundle. */
  explain(stack: string): string {
    return stack.replaceAll(/[^\s(]*\bworker\.js:(\d+):(\d+)/g, (frame, line: string, column: string) => {
      const place = this.placeOf(Number(line) - 1, Number(column) - 1)
      return place ? `${place.file}:${place.line}` : frame
    })
  }
}
