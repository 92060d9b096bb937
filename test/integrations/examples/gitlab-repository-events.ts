import type { Example } from '../example.ts'

const event = (name: string) => ({ 'X-Gitlab-Event': name })
const project = {
  created_at: '2026-11-02T10:40:00Z',
  updated_at: '2026-11-02T10:40:00Z',
  name: 'engine',
  owners: [{ name: 'Ada', email: 'ada@example.com' }],
  path: 'engine',
  path_with_namespace: 'acme/engine',
  project_id: 74,
  project_visibility: 'private',
}
const member = {
  created_at: '2026-11-02T10:40:00Z',
  project_id: 74,
  project_name: 'engine',
  project_path: 'engine',
  project_path_with_namespace: 'acme/engine',
  project_visibility: 'private',
  user_email: 'grace@example.com',
  user_name: 'Grace Hopper',
  user_username: 'grace',
}

/** Projects, groups, members and accounts of GitLab. */
export const GITLAB_HOUSEHOLD_EXAMPLES: readonly Example[] = [
  {
    what: 'a project that is made',
    headers: event('System Hook'),
    body: { event_name: 'project_create', ...project },
    messages: [{ topic: 'engine', text: 'The project **acme/engine** was created.' }],
  },
  {
    what: 'a project of a group that is deleted',
    headers: event('Project Hook'),
    body: { event_name: 'project_destroy', ...project },
    messages: [{ topic: 'engine', text: 'The project **acme/engine** was deleted.' }],
  },
  {
    what: 'a project that gets another name',
    headers: event('System Hook'),
    body: { event_name: 'project_rename', ...project, old_path_with_namespace: 'acme/motor' },
    messages: [{ topic: 'engine', text: 'The project **acme/engine** was renamed (before: acme/motor).' }],
  },
  {
    what: 'a subgroup',
    headers: event('Subgroup Hook'),
    body: {
      event_name: 'subgroup_create',
      name: 'tools',
      path: 'tools',
      full_path: 'acme/tools',
      group_id: 10,
      parent_group_id: 7,
      parent_name: 'Acme',
      parent_path: 'acme',
      parent_full_path: 'acme',
    },
    messages: [{ topic: 'tools', text: 'The subgroup **acme/tools** of **acme** was created.' }],
  },
  {
    what: 'a member of a project',
    headers: event('System Hook'),
    body: { event_name: 'user_add_to_team', access_level: 'Maintainer', ...member },
    messages: [{ topic: 'engine', text: 'Grace Hopper was added to engine as Maintainer.' }],
  },
  {
    what: 'a member who leaves a project',
    headers: event('System Hook'),
    body: { event_name: 'user_remove_from_team', access_level: 'Maintainer', ...member },
    messages: [{ topic: 'engine', text: 'Grace Hopper was removed from engine.' }],
  },
  {
    what: 'a member of a group, with a role',
    headers: event('Member Hook'),
    body: {
      event_name: 'user_update_for_group',
      group_access: 'Developer',
      group_name: 'acme',
      user_username: 'grace',
    },
    messages: [{ topic: 'acme', text: 'grace has other permissions in acme as Developer.' }],
  },
  {
    what: 'somebody who asks for access',
    headers: event('System Hook'),
    body: { event_name: 'user_access_request_to_project', access_level: 'Developer', ...member },
    messages: [{ topic: 'engine', text: 'Grace Hopper asks for access to engine.' }],
  },
  {
    what: 'an account',
    headers: event('System Hook'),
    body: { event_name: 'user_rename', name: 'Grace', username: 'grace', old_username: 'hopper', user_id: 9 },
    messages: [{ topic: 'accounts', text: 'The account **grace** has another name (before: hopper).' }],
  },
  {
    what: 'a vulnerability',
    headers: event('Vulnerability Hook'),
    body: {
      object_kind: 'vulnerability',
      object_attributes: {
        url: 'https://gitlab.example/acme/engine/-/security/vulnerabilities/1',
        title: 'Overflow',
        state: 'confirmed',
        severity: 'high',
        location: { file: 'src/count.c', start_line: 3 },
      },
    },
    messages: [
      {
        topic: 'vulnerabilities',
        text: 'Vulnerability [Overflow](https://gitlab.example/acme/engine/-/security/vulnerabilities/1) (high) in src/count.c has the state confirmed.',
      },
    ],
  },
  {
    what: 'something unknown about a project',
    headers: event('System Hook'),
    body: { event_name: 'project_paint', ...project },
    unsupported: 'Project Hook project_paint',
  },
  {
    what: 'something unknown of an instance',
    headers: event('System Hook'),
    body: { event_name: 'key_create', username: 'ada' },
    unsupported: 'System Hook key_create',
  },
]
