import { f } from '../../texts/frame.ts'
import type { KeyEntry } from './keyboard.ts'

export function keyName({ name }: KeyEntry): string {
  return f.help.keys[name]
}
