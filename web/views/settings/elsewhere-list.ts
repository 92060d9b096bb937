/**
 * Things for which the page has no view: each by its name among the texts, and its operations. A test holds
 * it against the operations.
 */
export const ELSEWHERE = {
  accounts: ['POST /users'],
  othersProfiles: ['PATCH /users/{user_id}', 'POST /users/{user_id}/status'],
  botSettings: ['PATCH /bots/{bot_id}'],
  calls: [
    'POST /calls/zoom/create',
    'GET /calls/bigbluebutton/create',
    'POST /calls/constructorgroups/create',
    'POST /calls/nextcloud_talk/create',
    'POST /calls/webex/create',
  ],
  channelGroups: [
    'POST /default_stream_groups/create',
    'PATCH /default_stream_groups/{group_id}',
    'PATCH /default_stream_groups/{group_id}/streams',
    'DELETE /default_stream_groups/{group_id}',
  ],
  organization: ['PATCH /realm'],
  welcome: ['POST /realm/test_welcome_bot_custom_message'],
  consents: ['GET /export/realm/consents'],
  check: ['POST /realm/verify'],
  otherLooks: ['PATCH /settings'],
} as const
