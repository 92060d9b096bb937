import type { Endpoint } from '../../api/define-endpoint.ts'
import { archiveStreamEndpoint } from './archive-stream.ts'
import { createChannelEndpoint } from './create-channel.ts'
import { addDefaultStreamEndpoint, removeDefaultStreamEndpoint } from './default-channels.ts'
import { getStreamEmailAddressEndpoint } from './get-stream-email-address.ts'
import {
  getStreamByIdEndpoint,
  getStreamIdEndpoint,
  getStreamsEndpoint,
  getSubscribersEndpoint,
} from './streams.ts'
import { deleteTopicEndpoint, getStreamTopicsEndpoint } from './topics.ts'
import { updateStreamEndpoint } from './update-stream.ts'

export const CHANNEL_ENDPOINTS: readonly Endpoint[] = [
  addDefaultStreamEndpoint,
  archiveStreamEndpoint,
  createChannelEndpoint,
  deleteTopicEndpoint,
  getStreamByIdEndpoint,
  getStreamEmailAddressEndpoint,
  getStreamIdEndpoint,
  getStreamTopicsEndpoint,
  getStreamsEndpoint,
  getSubscribersEndpoint,
  removeDefaultStreamEndpoint,
  updateStreamEndpoint,
]
