/** A refusal, by its short name in the table. */
export interface Refusal {
  readonly status: number
  readonly code: string
  /** `{channel}`, `{channel id}`, `{host}` and the like stand for the requested names and ids. */
  readonly msg: string
  /** The refusal for logged-in browsers, if it differs. */
  readonly codeForBrowsers?: string
}

const refusal = (msg: string, code = 'BAD_REQUEST', status = 400): Refusal => ({ status, code, msg })
const unauthorized = (msg: string) => refusal(msg, 'UNAUTHORIZED', 401)
const tooLateToMove = (msg: string): Refusal => ({
  ...refusal(msg, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'),
  codeForBrowsers: 'BAD_REQUEST',
})
const absent = (msg: string) => refusal(msg, 'BAD_REQUEST', 404)

export const REFUSALS = {
  // Refusals without an account here, before anything else is looked at.
  'no key': unauthorized('Not logged in: API authentication or user session required'),
  'account deactivated': unauthorized('Account is deactivated'),
  'key of another host': unauthorized('Account is not associated with this subdomain'),

  // Refusals by role.
  'not for guests': refusal('Not allowed for guest users'),
  'not for bots': refusal('This endpoint does not accept bot requests.'),
  'only for bots': refusal('This endpoint only accepts bot requests.'),
  'administrators only': refusal('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL'),
  'owners only': refusal('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL'),
  'inviting administrators': refusal('Must be an organization administrator'),
  'inviting owners': refusal('Must be an organization owner'),
  'no permission': refusal('Insufficient permission'),
  'not allowed': refusal('User not authorized for this query'),
  'no right to make accounts': refusal('User not authorized to create users'),

  // Refusals that are the same for absent and for hidden things.
  'may not pin': refusal('You do not have permission to pin in this channel.'),
  'no such message': refusal('Invalid message(s)'),
  'no such channel': refusal('Invalid channel ID'),
  'no such channel name': refusal("Invalid channel name '{channel}'"),
  'nothing to send to': refusal("Channel with ID '{channel id}' does not exist", 'STREAM_DOES_NOT_EXIST'),
  'no channel of the name': refusal("Channel '{channel}' does not exist", 'STREAM_DOES_NOT_EXIST'),
  'no such channel in a narrow': refusal(
    'Invalid narrow operator: unknown channel {channel id}',
    'BAD_NARROW',
  ),
  'no such channel in a narrow by name': refusal(
    'Invalid narrow operator: unknown channel {channel}',
    'BAD_NARROW',
  ),
  'nothing to go with': refusal("Invalid narrow operator: Invalid 'with' operator", 'BAD_NARROW'),
  'no such channel to invite to': refusal('Invalid channel ID {channel id}. No invites were sent.'),
  'no such topic': refusal("No such topic '{topic}'"),
  'no such queue': refusal('Bad event queue ID: {queue}', 'BAD_EVENT_QUEUE_ID'),
  'no such draft': absent('Draft does not exist'),
  'no such snippet': absent('Saved snippet does not exist.'),
  'no such reminder': absent('Reminder does not exist'),
  'no such scheduled message': absent('Scheduled message does not exist'),
  'no such view': absent('Navigation view does not exist.'),
  'no such attachment': refusal('Invalid attachment'),
  'no copy': refusal('This organization is no copy of a backup.'),
  'no such backup': refusal('Invalid backup ID'),
  'no such archive': refusal('You have uploaded no such file'),
  'another archive': refusal('Another archive is being uploaded'),
  'no such invitation': refusal('No such invitation'),
  'no such device': refusal('Device does not exist'),
  'no such webhook': refusal('No such outgoing webhook'),
  'no such delivery': refusal('No such delivery'),
  'no such session': refusal('No such session'),
  'no such connected account': absent('Invalid connected account'),
  'no app to confirm': refusal('No authenticator app is being set up.'),
  'no app': refusal('You have no authenticator app.'),
  'no factor': refusal('Set up an authenticator app or a passkey first.'),
  'no such key': refusal('This passkey does not fit. Try again, or use another way.'),
  'no such passkey': refusal('No such passkey'),
  'wrong code': refusal('That code is wrong, or was used already. Enter the newest one.'),
  'no two steps': refusal('This user has no two-step verification.'),
  'no such token': refusal('Token does not exist'),
  'no such subscription': refusal('No such subscription'),
  'no such upload': absent('This upload does not exist, or it has expired'),
  'no such file': absent('This file does not exist or has been deleted.'),

  'no such page': absent('It may have been moved, or is no longer public.'),

  // Refusals of actions on things that the caller sees.
  'not administered': refusal('You do not have permission to administer this channel.'),
  'already archived': refusal('Channel is already deactivated'),
  'content needed': refusal('Channel content access is required.'),
  'default channels are public': refusal('Private channels cannot be made default.'),
  'may not post': refusal("Not authorized to send to channel '{channel}'"),
  'may not read it': refusal('Unable to access channel ({channel}).'),
  'not subscribed': refusal('Not subscribed to channel ID {channel id}'),
  'name taken': refusal('Channel name is already in use.'),
  'not their file': refusal('You are not authorized to view this file.', 'BAD_REQUEST', 403),
  'not web-public': refusal('Web-public channels are not enabled.'),
  'may not edit': refusal("You don't have permission to edit this message"),
  'may not move': refusal("You don't have permission to move this message"),
  'may not delete': refusal("You don't have permission to delete this message"),
  'no direct topics': refusal('Direct messages cannot have topics.'),
  'not to channels': refusal('Direct messages cannot be moved to channels.'),
  'too late to edit': refusal('The time limit for editing this message has passed'),
  'too late for another topic': tooLateToMove("The time limit for editing this message's topic has passed."),
  'too late for another channel': tooLateToMove(
    "The time limit for editing this message's channel has passed",
  ),
  'too late to delete': refusal('The time limit for deleting this message has passed'),
  'no such user': refusal('No such user'),
  'hidden recipients': refusal('You do not have permission to access some of the recipients.'),
  'no reaction': refusal("Reaction doesn't exist.", 'REACTION_DOES_NOT_EXIST'),
  'not their emoji': refusal('Must be an organization administrator or emoji author'),

  'no address': refusal('Enter a valid email address.'),

  // Refusals for everybody: features that this server does not have.
  'no summaries': refusal('AI features are not enabled on this server.'),
  'no Zoom': refusal('Zoom is not configured on this server.'),
  'no Constructor Groups': refusal('Constructor Groups is not configured.'),
  'no Nextcloud Talk': refusal('Nextcloud Talk is not configured.'),
  'no Webex': refusal('Webex is not configured on this server.'),
  'no BigBlueButton': refusal('BigBlueButton is not configured on this server.'),
  'no JWT': refusal('JWT authentication is not enabled for this organization.'),
  'no push service': refusal(
    'Server is not configured to use push notification service.',
    'PUSH_SERVICE_NOT_CONFIGURED',
  ),
} as const satisfies Record<string, Refusal>
export type RefusalName = keyof typeof REFUSALS
