import { expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, user, other } = useRealm({ user: 'member', other: 'member' })

it('a hint marked as seen disappears for that user alone', async () => {
  const queues = [await openQueue(user), await openQueue(other)]
  const before = queues[0]!.snapshot.onboarding_steps
  const mark = (onboarding_step: string) => user.api.post('/users/me/onboarding_steps', { onboarding_step })
  expect(before).toContainEqual({ type: 'one_time_notice', name: 'intro_resolve_topic' })
  expectSuccess(await mark('intro_resolve_topic'))
  const after = before.filter(({ name }: { name: string }) => name !== 'intro_resolve_topic')
  expect(await queues[0]!.events()).toMatchObject([{ type: 'onboarding_steps', onboarding_steps: after }])
  expect((await openQueue(user)).snapshot.onboarding_steps).toEqual(after)
  expect(await queues[1]!.events()).toEqual([])
  expect((await openQueue(other)).snapshot.onboarding_steps).toEqual(before)
  // The deployment has no video to show.
  expect(JSON.stringify(before)).not.toContain('navigation_tour_video')
  expect(queues[0]!.snapshot.navigation_tour_video_url).toBeNull()
  expectSuccess(await mark('navigation_tour_video'))
  expectRefusal(await mark('dancing'), 'Unknown onboarding_step: dancing')
  expectUnauthorized(
    await realm.anonymous.post('/users/me/onboarding_steps', { onboarding_step: 'intro_resolve_topic' }),
  )
})
