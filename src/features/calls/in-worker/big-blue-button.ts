import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { BadRequestError } from '../../../core/errors.ts'
import { askService, type BigBlueButtonSettings } from './call-settings.ts'

/** The path of the page that leads into a call. */
export const CALL_PATH = '/calls/bigbluebutton/join'

/** Limit of a meeting's name, in characters. */
const MAX_MEETING_NAME = 256

/** The content of a link to a call, valid in one organization only. */
interface LinkedCall {
  readonly realmId: number
  /** The unguessable id of the meeting at BigBlueButton. */
  readonly meeting: string
  readonly title: string
  readonly isVideo: boolean
  /** Id of its moderator. */
  readonly maker: number
}

/** Returns the link to a new call, as a path at the organization's own address. */
export function linkToNewCall({ secret }: BigBlueButtonSettings, call: Omit<LinkedCall, 'meeting'>): string {
  const linked = { ...call, meeting: `parley-${crypto.randomUUID()}` }
  const query = new URLSearchParams({
    meeting_id: linked.meeting,
    name: linked.title,
    voice_only: String(!linked.isVideo),
    moderator: String(linked.maker),
    checksum: signatureOf(secret, linked),
  })
  return `${CALL_PATH}?${query}`
}

/** Reads a link that `linkToNewCall` made for this organization. @throws BadRequestError for any other */
export function readLink(
  { secret }: BigBlueButtonSettings,
  realmId: number,
  query: URLSearchParams,
): LinkedCall {
  const linked: LinkedCall = {
    realmId,
    meeting: query.get('meeting_id') ?? '',
    title: query.get('name') ?? '',
    isVideo: query.get('voice_only') !== 'true',
    maker: Number(query.get('moderator')),
  }
  const [given, expected] = [
    Buffer.from(query.get('checksum') ?? ''),
    Buffer.from(signatureOf(secret, linked)),
  ]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new BadRequestError('Invalid signature.')
  }
  return linked
}

/** The key is for this purpose only: BigBlueButton's own checksums are plain digests with the same secret. */
function signatureOf(secret: string, { realmId, meeting, title, isVideo, maker }: LinkedCall): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['call link', realmId, meeting, title, isVideo, maker]))
    .digest('base64url')
}

/**
 * Starts the meeting if needed, and returns the personal address at which this user enters. Source: BigBlueButton's API reference,
 * “create” and “join”.
 * @throws BadRequestError
 */
export async function joinMeeting(
  settings: BigBlueButtonSettings,
  { meeting, title, isVideo, maker }: LinkedCall,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<string> {
  const begun = await askService(
    signedAddress(settings, 'create', {
      meetingID: meeting,
      name: title.slice(0, MAX_MEETING_NAME),
      ...(isVideo ? {} : { lockSettingsDisableCam: 'true' }),
    }),
  )
  if (begun?.status !== 200) throw new BadRequestError('Error connecting to the BigBlueButton server.')
  if (elementOf(begun.text, 'returncode') !== 'SUCCESS') {
    throw new BadRequestError(
      elementOf(begun.text, 'messageKey') === 'checksumError'
        ? 'Error authenticating to the BigBlueButton server.'
        : 'BigBlueButton server returned an unexpected error.',
    )
  }
  return signedAddress(settings, 'join', {
    meetingID: meeting,
    fullName: name,
    userID: String(id),
    role: id === maker ? 'MODERATOR' : 'VIEWER',
  })
}

/** Returns the address of a call of BigBlueButton's API, with its checksum. */
function signedAddress(
  { url, secret }: BigBlueButtonSettings,
  call: 'create' | 'join',
  parameters: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(parameters).toString()
  const checksum = createHash('sha256').update(`${call}${query}${secret}`).digest('hex')
  return `${url}/api/${call}?${query}&checksum=${checksum}`
}

/** Returns the text of the first element with this name in the answer, which is flat XML. */
function elementOf(xml: string, name: string): string | undefined {
  const [, rest] = xml.split(`<${name}>`, 2)
  const end = rest?.indexOf(`</${name}>`) ?? -1
  return end < 0 ? undefined : rest!.slice(0, end).trim()
}
