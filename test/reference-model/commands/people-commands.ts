import { openModelClient } from '../model-run.ts'
import { succeed } from '../person.ts'
import { actorOf, type Command, pick } from './chosen.ts'

const changeRole: Command = async (run, action) => {
  const person = actorOf(run, action)
  const role = pick([400, 300, 600], action.what)!
  await succeed(run.boss, 'PATCH', `/users/${person.id}`, { role })
  run.model.users.get(person.id)!.role = role
  return `The boss gives ${person.fullName} the role ${role}`
}

const deactivate: Command = async (run, action) => {
  const person = actorOf(run, action)
  // A user must be left to act.
  if ([...run.model.users.values()].filter(({ isActive }) => isActive).length < 3) return undefined
  await succeed(run.boss, 'DELETE', `/users/${person.id}`)
  run.model.users.get(person.id)!.isActive = false
  run.clients.delete(person.id)
  return `The boss closes the account of ${person.fullName}`
}

const reactivate: Command = async (run, action) => {
  const closed = run.people.filter(({ id }) => !run.model.users.get(id)!.isActive)
  const person = pick(closed, action.who)
  if (!person) return undefined
  await succeed(run.boss, 'POST', `/users/${person.id}/reactivate`)
  await person.logInAgain()
  run.model.users.get(person.id)!.isActive = true
  run.clients.set(person.id, await openModelClient(person))
  return `The boss opens the account of ${person.fullName} again`
}

/** Adds a user to the group or its subgroup, or removes them; a message notifies them. */
const changeMembership: Command = async (run, action) => {
  const person = actorOf(run, action)
  const isInner = action.where % 2 === 1
  const group = isInner ? run.model.innerGroup : run.model.group
  const op = group.members.has(person.id) ? 'delete' : 'add'
  await succeed(run.boss, 'POST', `/user_groups/${group.id}/members`, { [op]: [person.id] })
  if (op === 'delete') group.members.delete(person.id)
  else group.members.add(person.id)
  run.model.addDirectMessage(await run.newestDirect(person), [person.id])
  return `The boss changes who is in the ${isInner ? 'inner ' : ''}group: ${op} ${person.fullName}`
}

/** Mutes a user, or unmutes them. */
const muteUser: Command = async (run, action) => {
  const person = actorOf(run, action)
  const other = pick(run.people, action.where)!
  if (other.id === person.id) return undefined
  const { mutes } = run.model.users.get(person.id)!
  const isMuted = mutes.has(other.id)
  await succeed(person, isMuted ? 'DELETE' : 'POST', `/users/me/muted_users/${other.id}`)
  if (isMuted) mutes.delete(other.id)
  else run.model.mute(person.id, other.id)
  return `${person.fullName} ${isMuted ? 'hears' : 'mutes'} ${other.fullName}`
}

export const PEOPLE_COMMANDS = { muteUser, changeRole, deactivate, reactivate, changeMembership }
