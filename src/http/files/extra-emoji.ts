import { FOR_ANY_PAGE } from '../security-headers.ts'

/** The picture of the extra emoji: a speech bubble, drawn for this server. A PNG of 64 pixels, in base64. */
const PICTURE = [
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAACVBMVEUAAAAkVnr///+sMfJhAAAAA3RSTlMA//9EUNYhAAAAj0lE',
  'QVR42u2XQQrAIAwE3f3/o0tPXmpMGVoiZE856IBom8kYnc5jFAVt3kOUDd2/IEiMIDGCBAkUIEHC+QAJEqoBnKgDgO9s6ghgz5Wr',
  '+lOAPVeu6uJH4LfA38Gh30L/0ko0Ft4beXfmfsANhTtSAvFO8qglUs2knkpFl5oyVW3q6lT26bRAxw06r/TI9n8umJMIPy2X93kA',
  'AAAASUVORK5CYII=',
].join('')

const WEEK_SECONDS = 7 * 86_400

let bytes: Uint8Array<ArrayBuffer> | undefined

/** Answers with it; messages show it and clients load it without credentials, like any emoji's picture. */
export function respondExtraEmoji(): Response {
  bytes ??= Uint8Array.from(atob(PICTURE), (char) => char.charCodeAt(0))
  return new Response(bytes, {
    headers: {
      'Content-Type': 'image/png',
      'Cache-Control': `public, max-age=${WEEK_SECONDS}`,
      ...FOR_ANY_PAGE,
    },
  })
}
