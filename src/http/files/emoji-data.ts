import { DAY } from '../../core/time.ts'
import { codeToNames } from '../../markdown/emoji-data.ts'
import { FOR_ANY_PAGE } from '../security-headers.ts'

let document: string | undefined

/**
 * Answers with the names of all Unicode emoji, at `server_emoji_data_url`. The mobile client needs it to show any emoji, and asks before
 * login; web clients ask from other origins (docs/interface/register.md#settings-of-the-organization-in-it).
 */
export function respondEmojiData(): Response {
  document ??= JSON.stringify({ code_to_names: codeToNames() })
  return new Response(document, {
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': `public, max-age=${DAY}`,
      ...FOR_ANY_PAGE,
    },
  })
}
