import { state } from '../chat.ts'
import { callProvider, jitsiAddress, needsZoomLogin } from '../state/calls.ts'
import { learnZoomRefusal } from '../state/personal.ts'
import { call, failureOf } from './call.ts'

/**
 * Returns the address of a new call; undefined where the user has to log in at Zoom first (`needsZoomLogin`). `name`: that of its
 * conversation.
 */
export async function makeCall(
  name: string,
  { isVideo }: { readonly isVideo: boolean },
): Promise<string | undefined> {
  if (needsZoomLogin(state)) return undefined
  try {
    return await newCall(name, isVideo)
  } catch (error) {
    if (failureOf(error).code !== 'INVALID_ZOOM_TOKEN') throw error
    learnZoomRefusal(state)
    return undefined
  }
}

/** The page that sends the browser to Zoom. */
export function zoomLoginAddress(): string {
  return new URL('/calls/zoom/register', state.organization.url).href
}

async function newCall(name: string, isVideo: boolean): Promise<string> {
  const { url } = await (async () => {
    switch (callProvider(state)) {
      case 'zoom':
        return call<{ url: string }>('POST', '/calls/zoom/create', { is_video_call: isVideo })
      case 'bigbluebutton':
        return call<{ url: string }>('GET', '/calls/bigbluebutton/create', {
          meeting_name: name,
          voice_only: !isVideo,
        })
      case 'nextcloud':
        return call<{ url: string }>('POST', '/calls/nextcloud_talk/create', { room_name: name })
      default:
        // The random name is the only protection of a room.
        return { url: jitsiAddress(state, crypto.randomUUID().replaceAll('-', ''), { isVideo }) }
    }
  })()
  return new URL(url, state.organization.url).href
}
