import type { ChatState } from './chat-state.ts'

/** Providers of calls, by their ids in the API. */
const PROVIDERS = { 1: 'jitsi', 3: 'zoom', 4: 'bigbluebutton', 5: 'zoom', 7: 'nextcloud' } as const

/** Zoom with a log-in of each person. */
const ZOOM_BY_LOGIN = 3

export type CallProvider = (typeof PROVIDERS)[keyof typeof PROVIDERS]

/** Returns the organization's provider of calls; undefined without one, or if the server is no longer connected with it. */
export function callProvider({
  organization,
  server,
}: Pick<ChatState, 'organization' | 'server'>): CallProvider | undefined {
  const id = organization.video_chat_provider
  const isAvailable = availableCallProviders({ organization }).some((one) => one.id === id)
  const provider = isAvailable ? PROVIDERS[id as keyof typeof PROVIDERS] : undefined
  return provider === 'jitsi' && !jitsiServer({ organization, server }) ? undefined : provider
}

/** Whether the user has to log in at Zoom before a call can be made. */
export function needsZoomLogin({
  organization,
  hasZoomToken,
}: Pick<ChatState, 'organization' | 'hasZoomToken'>): boolean {
  return organization.video_chat_provider === ZOOM_BY_LOGIN && !hasZoomToken
}

/** Returns the providers among which administrators choose, "none" included. */
export function availableCallProviders({
  organization,
}: Pick<ChatState, 'organization'>): readonly { readonly id: number; readonly name: string }[] {
  return Object.values(organization.available_video_chat_providers).toSorted((a, b) => a.id - b.id)
}

function jitsiServer({ organization, server }: Pick<ChatState, 'organization' | 'server'>): string {
  const own = organization.jitsi_server_url || server.server_jitsi_server_url
  return typeof own === 'string' && /^https?:\/\//.test(own) ? own.replace(/\/+$/, '') : ''
}

/** Returns the address of a room, which is created when a user enters it; a voice call starts without video. */
export function jitsiAddress(
  state: Pick<ChatState, 'organization' | 'server'>,
  room: string,
  { isVideo }: { readonly isVideo: boolean },
): string {
  return `${jitsiServer(state)}/${room}${isVideo ? '#config.startWithVideoMuted=false' : '#config.startWithVideoMuted=true'}`
}
