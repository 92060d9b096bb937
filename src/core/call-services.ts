/**
 * Call services that a deployment must be connected to, by their names in the API. With `zoom` each user logs in there;
 * `zoom_server_to_server` makes meetings with the deployment's own account.
 */
export type CallService = 'zoom' | 'zoom_server_to_server' | 'big_blue_button' | 'nextcloud_talk'

/** A call that the deployment itself makes at a service. `title`: the name that the service shows. */
export type WantedCall =
  | { readonly service: 'zoom_server_to_server'; readonly email: string; readonly isVideo: boolean }
  | {
      readonly service: 'big_blue_button'
      readonly title: string
      readonly isVideo: boolean
      readonly maker: number
    }
  | { readonly service: 'nextcloud_talk'; readonly title: string }

/** The tokens with which this server acts at Zoom for one of its users. */
export interface ZoomTokens {
  readonly access: string
  /** Exchanged for new tokens, once. */
  readonly refresh: string
  /** Seconds for which `access` is valid. */
  readonly expiresIn: number
}

interface ZoomMeeting {
  /** The link for everyone. */
  readonly url: string
  /** Zoom's id of the host; null if Zoom does not give it. */
  readonly hostId: string | null
}

/** Zoom on behalf of one of its users. `refused`: the token is no longer valid. */
export interface ZoomOfPerson {
  /** @throws BadRequestError if no meeting was made for another reason */
  makeMeeting(access: string, call: { readonly isVideo: boolean }): Promise<ZoomMeeting | 'refused'>
  /** @throws BadRequestError if Zoom does not answer, or does not know this server */
  renew(refresh: string): Promise<ZoomTokens | 'refused'>
}
