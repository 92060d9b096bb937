/** The page parameters of a client of level 372, each with what it must be: a type, or the one value that it has here. */
export const PARAMETERS = {
  page_type: 'home',
  development_environment: ['boolean'],
  request_language: ['string'],
  language_list: ['array'],
  translation_data: ['object'],
  apps_page_url: ['string'],
  corporate_enabled: false,
  embedded_bots_enabled: false,
  furthest_read_time: ['number', 'null'],
  is_spectator: false,
  login_page: '/login/',
  presence_history_limit_days_for_web_app: 365,
  promote_sponsoring_zulip: false,
  show_webathena: false,
  two_fa_enabled: false,
  two_fa_enabled_user: false,
  no_event_queue: false,
  test_suite: false,
  warn_no_email: false,
  insecure_desktop_app: false,
  state_data: ['object'],
}

/** The names in its maps of permissions: it refuses any other. */
export const PERMISSIONS = {
  realm: [
    'can_access_all_users_group',
    'can_add_custom_emoji_group',
    'can_add_subscribers_group',
    'can_create_bots_group',
    'can_create_groups',
    'can_create_private_channel_group',
    'can_create_public_channel_group',
    'can_create_web_public_channel_group',
    'can_create_write_only_bots_group',
    'can_delete_any_message_group',
    'can_delete_own_message_group',
    'can_invite_users_group',
    'can_manage_all_groups',
    'can_manage_billing_group',
    'can_mention_many_users_group',
    'can_move_messages_between_channels_group',
    'can_move_messages_between_topics_group',
    'can_resolve_topics_group',
    'can_summarize_topics_group',
    'create_multiuse_invite_group',
    'direct_message_initiator_group',
    'direct_message_permission_group',
  ],
  stream: [
    'can_add_subscribers_group',
    'can_administer_channel_group',
    'can_remove_subscribers_group',
    'can_send_message_group',
    'can_subscribe_group',
  ],
  group: [
    'can_add_members_group',
    'can_join_group',
    'can_leave_group',
    'can_manage_group',
    'can_mention_group',
    'can_remove_members_group',
  ],
}

export function typeOf(value) {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** What is not as such a client wants it: nothing is drawn then. */
export function problemsOf(parameters, keysOfState) {
  const problems = []
  const check = (where, values, name, wanted) => {
    if (!(name in values)) problems.push(`${where}${name} is missing`)
    else if (!Array.isArray(wanted)) {
      if (values[name] !== wanted) problems.push(`${where}${name} is ${JSON.stringify(values[name])}`)
    } else if (!wanted.includes(typeOf(values[name]))) {
      problems.push(`${where}${name} is ${typeOf(values[name])}`)
    }
  }
  for (const [name, wanted] of Object.entries(PARAMETERS)) check('', parameters, name, wanted)
  const state = parameters.state_data
  for (const [name, types] of Object.entries(keysOfState)) check('state_data.', state, name, types.split('|'))
  for (const [map, names] of Object.entries(PERMISSIONS)) {
    for (const name of Object.keys(state.server_supported_permission_settings[map])) {
      if (!names.includes(name)) problems.push(`${map} ${name} is not known`)
    }
  }
  const steps = state.onboarding_steps.map(({ name }) => name)
  if (steps.includes('navigation_tour_video') && state.navigation_tour_video_url === null) {
    problems.push('a tour without its video')
  }
  return problems
}
