import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import {
  deleteAvatarEndpoint,
  enterAvatarStep,
  findAvatarStep,
  findImagesStep,
  uploadAvatarEndpoint,
} from './avatars.ts'

export const AVATAR_ENDPOINTS: readonly Endpoint[] = [deleteAvatarEndpoint, uploadAvatarEndpoint]

export const AVATAR_STEPS: readonly Operation[] = [enterAvatarStep, findAvatarStep, findImagesStep]
