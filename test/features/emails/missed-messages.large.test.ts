import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm, insertUsers } from '../../support/inside.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'

const mailbox = new Mailbox()
beforeAll(() => {
  mailbox.open()
})
const { realm, ann, ben, cat, channel } = useRealm(
  { ann: 'member', ben: 'member', cat: 'member' },
  { channels: { channel: ['owner', 'ann', 'ben', 'cat'] } },
)
beforeAll(() => mailbox.isFor(realm))
beforeEach(async () => {
  mailbox.open()
  await mailbox.deliver()
  mailbox.forget()
})

const say = (user: TestUser, content: string) => sendTo(user, channel.id, 'walls', content)

describe('a user who is away gets', () => {
  it('the mail, however many people a message mentions', async () => {
    const many = await insertUsers(realm, 320, channel.id)
    const [muter, named, reader, ...others] = many as [TestUser, TestUser, TestUser, ...TestUser[]]
    expectSuccess(await muter.api.post(`/users/me/muted_users/${realm.owner.id}`))
    const asNamed = `@**${named.fullName}|${named.id}**`
    const addresses = async () => {
      // The mails are entered in separate turns, and each turn sends as many as its budget allows.
      for (let turn = 0; turn < 4; turn += 1) await mailbox.deliver()
      return mailbox.posted.map(({ to: [address] }) => address).sort()
    }
    const addressesOf = (people: readonly TestUser[]) => people.map(({ email }) => email).sort()
    const id = await say(realm.owner, `@**all**, ${asNamed} too`)
    expectSuccess(await reader.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
    expect(await addresses()).toEqual(addressesOf([ann, ben, cat, named, ...others]))
    mailbox.forget()
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `UPDATE user SET settings = '{"enable_offline_email_notifications":false}' WHERE id BETWEEN ? AND ?`,
        others[0]!.id,
        others.at(-2)!.id,
      ),
    )
    const edited = await say(realm.owner, `Only ${asNamed}`)
    expect(await addresses()).toEqual(addressesOf([named]))
    mailbox.forget()
    expectSuccess(await realm.owner.api.patch(`/messages/${edited}`, { content: '@**all**' }))
    expect(await addresses()).toEqual(addressesOf([ann, ben, cat, reader, others.at(-1)!]))
    mailbox.forget()
    const group = { name: `crowd ${channel.id}`, description: '', members: many.map(({ id: one }) => one) }
    expectSuccess(await realm.owner.api.post('/user_groups/create', group))
    const calling = await say(realm.owner, `@*${group.name}* and ${asNamed}`)
    expectSuccess(await reader.api.post('/messages/flags', { messages: [calling], op: 'add', flag: 'read' }))
    expect(await addresses()).toEqual(addressesOf([named, others.at(-1)!]))
    const reasonOf = ({ email }: TestUser) =>
      / because (.*) was mentioned|mentioned you/.exec(
        mailbox.posted.find(({ to: [address] }) => address === email)!.text,
      )?.[1]
    expect([reasonOf(named), reasonOf(others.at(-1)!)]).toEqual([undefined, `@${group.name}`])
    mailbox.forget()
    const late = await say(realm.owner, `Only ${asNamed} at first`)
    expect(await addresses()).toEqual(addressesOf([named]))
    mailbox.forget()
    expectSuccess(await realm.owner.api.patch(`/messages/${late}`, { content: `@*${group.name}*` }))
    expect(await addresses()).toEqual(addressesOf([reader, others.at(-1)!]))
  })
})
