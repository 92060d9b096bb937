import { DAY, WEEK } from '../../core/time.ts'
import { codeToNames } from '../../markdown/emoji-data.ts'
import { FOR_ANY_PAGE } from '../request/security-headers.ts'

/** Pictures drawn for this server: PNGs, in base64. The extra emoji: a speech bubble of 64 pixels. */
const SPEECH_BUBBLE = [
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAACVBMVEUAAAAkVnr///+sMfJhAAAAA3RSTlMA//9EUNYhAAAAj0lE',
  'QVR42u2XQQrAIAwE3f3/o0tPXmpMGVoiZE856IBom8kYnc5jFAVt3kOUDd2/IEiMIDGCBAkUIEHC+QAJEqoBnKgDgO9s6ghgz5Wr',
  '+lOAPVeu6uJH4LfA38Gh30L/0ko0Ft4beXfmfsANhTtSAvFO8qglUs2knkpFl5oyVW3q6lT26bRAxw06r/TI9n8umJMIPy2X93kA',
  'AAAASUVORK5CYII=',
].join('')

/** A faceless figure of 128 pixels, for a user whose address is unconfirmed. */
const FIGURE = [
  'iVBORw0KGgoAAAANSUhEUgAAAIAAAACAAQMAAAD58POIAAAABlBMVEXV3OJ9i5itbY5NAAAAz0lEQVR42u3SQQ6DIBAFUIkLlx6Bo3g0',
  'OZpH8QguWRh/SwiB7w+1mqZpTGfHWzAD85vmXzerceOzARxBB8wEFvAEA7DynQDfimftmnCbNsD0CroA5SB9gOUU2AD+FAwB1h+EC2+5',
  '8GPy68eLkt3K9jUfkiDJmKRQcipJvnXJ83tenH6y7EV2exx+gHdpIjhOQ5mHLsLMEStntRE8dy37jhG23Rh5EJPA1aBNMPFceTKBPsFS',
  'A5vA12BIsNZgTLC9DcDu/YdgMriPQZth+hY8AHZJMUzGNVbMAAAAAElFTkSuQmCC',
].join('')

/** Answers with the extra emoji. Messages show it and clients load it without credentials, like any custom emoji. */
export const respondExtraEmoji = responderOf(SPEECH_BUBBLE)

export const respondUnconfirmedPicture = responderOf(FIGURE)

function responderOf(picture: string): () => Response {
  let bytes: Uint8Array<ArrayBuffer> | undefined
  return () => {
    bytes ??= Buffer.from(picture, 'base64')
    return new Response(bytes, {
      headers: {
        'Content-Type': 'image/png',
        'Cache-Control': `public, max-age=${WEEK}`,
        ...FOR_ANY_PAGE,
      },
    })
  }
}

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
