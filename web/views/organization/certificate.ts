import type { Erasure } from '../../actions/erasures.ts'
import { state } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { sizeOf } from '../../ui/size.ts'
import { wholeTime } from '../../ui/time.tsx'
import { realName } from '../words.ts'

/** Returns the certificate as text, to be read and printed: of the person it has the number alone. */
export function certificateText(erasure: Erasure): string {
  const words = s.erasure
  const { acting_user_id, finished_at, listed_at, files, held, backups, exports } = erasure
  const by = acting_user_id === null ? words.byRestore : realName(acting_user_id)
  const line = (name: string, value: string) => name + t.colon + value
  const numbers = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `  ${what}: ${count}`)
  return [
    words.certificate,
    '',
    line(words.organization, state.organization.name),
    line(words.person, [erasure.user_id, ...erasure.bot_ids].join(', ')),
    line(words.asked, `${by}, ${wholeTime(erasure.asked_at)}`),
    line(words.finished, finished_at === null ? words.goingOn : wholeTime(finished_at)),
    line(words.messages, erasure.messages === 'keep' ? words.keep : words.remove),
    '',
    words.inObject,
    ...numbers(erasure.object),
    words.inD1,
    ...numbers(erasure.d1),
    line(
      words.files,
      words.counted({ files: files.uploads, pictures: files.pictures, size: sizeOf(files.bytes) }),
    ),
    '',
    words.stillThere,
    `- ${words.log(wholeTime(erasure.log_until))}`,
    ...backups.map(({ id, taken_at, kept_until }) => {
      return `- ${words.backup({ id: String(id), taken: wholeTime(taken_at), until: wholeTime(kept_until) })}`
    }),
    ...exports.map(({ id, kept_until }) => {
      return `- ${words.export({ id: String(id), until: wholeTime(kept_until) })}`
    }),
    ...(held.messages + held.files > 0 ? [`- ${words.held({ ...held })}`] : []),
    `- ${words.stays}`,
    '',
    listed_at === null ? words.notListed : words.listed(wholeTime(listed_at)),
  ].join('\n')
}
