/**
 * Services that make calls, and that a deployment has to be connected with, by their names in the API. `zoom` is Zoom with a log-in of each
 * person there; `zoom_server_to_server` makes the meetings with the deployment's own account.
 */
export type CallService = 'zoom' | 'zoom_server_to_server' | 'big_blue_button' | 'nextcloud_talk'

/** A call to be made by what the deployment itself may do at a service. `title`: what the service shows as its name. */
export type WantedCall =
  | { readonly service: 'zoom_server_to_server'; readonly email: string; readonly isVideo: boolean }
  | {
      readonly service: 'big_blue_button'
      readonly title: string
      readonly isVideo: boolean
      readonly maker: number
    }
  | { readonly service: 'nextcloud_talk'; readonly title: string }

/** What this server may do at Zoom for one of its users. */
export interface ZoomTokens {
  readonly access: string
  /** Exchanged for new tokens, once. */
  readonly refresh: string
  /** Seconds for which the first is good. */
  readonly expiresIn: number
}

interface ZoomMeeting {
  /** The link for everybody. */
  readonly url: string
  /** Zoom's own id of the user who is the host; null where it does not say it. */
  readonly hostId: string | null
}

/** Zoom, as one of its users asks it. `refused`: it does not take the token any more. */
export interface ZoomOfPerson {
  /** @throws BadRequestError when no meeting was made for another reason */
  makeMeeting(access: string, call: { readonly isVideo: boolean }): Promise<ZoomMeeting | 'refused'>
  /** @throws BadRequestError when Zoom does not answer, or does not know this server */
  renew(refresh: string): Promise<ZoomTokens | 'refused'>
}
