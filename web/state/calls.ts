import type { ChatState } from './chat-state.ts'

/** Providers of calls, by their ids in the API. */
const PROVIDERS = { 1: 'jitsi', 3: 'zoom', 4: 'bigbluebutton', 5: 'zoom', 7: 'nextcloud' } as const

export type CallProvider = (typeof PROVIDERS)[keyof typeof PROVIDERS]

/** Returns who makes the organization's calls; undefined if nobody does. */
export function callProvider({ organization, server }: ChatState): CallProvider | undefined {
  const provider = PROVIDERS[organization.video_chat_provider as keyof typeof PROVIDERS]
  return provider === 'jitsi' && !jitsiServer({ organization, server }) ? undefined : provider
}

function jitsiServer({ organization, server }: Pick<ChatState, 'organization' | 'server'>): string {
  const own = organization.jitsi_server_url || server.server_jitsi_server_url
  return typeof own === 'string' && /^https?:\/\//.test(own) ? own.replace(/\/+$/, '') : ''
}

/** Returns the address of a room, which is made when somebody enters it; a voice call begins without pictures. */
export function jitsiAddress(
  state: Pick<ChatState, 'organization' | 'server'>,
  room: string,
  { isVideo }: { readonly isVideo: boolean },
): string {
  return `${jitsiServer(state)}/${room}${isVideo ? '#config.startWithVideoMuted=false' : '#config.startWithVideoMuted=true'}`
}
