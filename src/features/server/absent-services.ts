import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { narrow } from '../../api/narrow-parameter.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import {
  createBigBlueButtonCall,
  createConstructorGroupsCall,
  createNextcloudTalkCall,
  createWebexCall,
  createZoomCall,
  summarizeMessages,
} from './absent-services-work.ts'

/**
 * Services that need a provider, which no deployment has yet: always refused. Source:
 * docs/interface/organization.md#what-is-not-offered.
 */
export const summarizeMessagesEndpoint = defineEndpoint({
  operation: 'summarize-messages',
  method: 'GET',
  path: '/messages/summary',
  access: 'user',
  params: { narrow },
  returns: v.object({ summary: v.string() }),
  command: summarizeMessages,
})

export const createZoomCallEndpoint = defineEndpoint({
  operation: 'create-zoom-call',
  method: 'POST',
  path: '/calls/zoom/create',
  access: 'user',
  params: { is_video_call: v.optional(jsonBoolean) },
  returns: v.object({ url: v.string() }),
  command: createZoomCall,
  audit: 'speech',
})

export const createConstructorGroupsCallEndpoint = defineEndpoint({
  operation: 'create-constructor-groups-video-call',
  method: 'POST',
  path: '/calls/constructorgroups/create',
  access: 'user',
  params: {},
  returns: v.object({ url: v.string() }),
  command: createConstructorGroupsCall,
  audit: 'speech',
})

export const createNextcloudTalkCallEndpoint = defineEndpoint({
  operation: 'create-nextcloud-talk-video-call',
  method: 'POST',
  path: '/calls/nextcloud_talk/create',
  access: 'user',
  params: { room_name: textUpTo(NAME_LENGTH) },
  returns: v.object({ url: v.string() }),
  command: createNextcloudTalkCall,
  audit: 'speech',
})

export const createWebexCallEndpoint = defineEndpoint({
  operation: 'create-webex-video-call',
  method: 'POST',
  path: '/calls/webex/create',
  access: 'user',
  params: {},
  returns: v.object({ url: v.string() }),
  command: createWebexCall,
  audit: 'speech',
})

export const createBigBlueButtonCallEndpoint = defineEndpoint({
  operation: 'create-big-blue-button-video-call',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  access: 'user',
  params: { meeting_name: textUpTo(NAME_LENGTH), voice_only: v.optional(jsonBoolean) },
  returns: v.object({ url: v.string() }),
  command: createBigBlueButtonCall,
})
