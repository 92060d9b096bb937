import { state } from '../chat.ts'
import { callProvider, jitsiAddress } from '../state/calls.ts'
import { call } from './call.ts'

/** Returns the address of a new call. `name`: that of its conversation. */
export async function makeCall(name: string, { isVideo }: { readonly isVideo: boolean }): Promise<string> {
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
        // Whoever knows the name of a room may enter it.
        return { url: jitsiAddress(state, crypto.randomUUID().replaceAll('-', ''), { isVideo }) }
    }
  })()
  return new URL(url, state.organization.url).href
}
