import * as v from 'valibot'
import { WORD_LENGTH } from '../../api/input-limits.ts'
import { NOT_JSON, textUpTo } from '../../api/parameter-types.ts'
import { parseJson } from '../../core/json.ts'

const MAX = 2n ** 63n - 1n

/**
 * The client's own number for an account on a device: an integer of up to 64 bits, kept as its digits, of
 * which a JavaScript number would lose some.
 */
export const pushAccountId = v.pipe(
  textUpTo(WORD_LENGTH),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const digits = dataset.value.trim()
    if (/^-?(0|[1-9]\d{0,18})$/.test(digits) && BigInt(digits) <= MAX && BigInt(digits) >= -MAX) return
    addIssue({ message: isJson(digits) ? 'is not an integer' : NOT_JSON })
  }),
  v.transform((digits) => String(BigInt(digits.trim()))),
)

function isJson(value: string): boolean {
  try {
    parseJson(value)
    return true
  } catch {
    return false
  }
}
