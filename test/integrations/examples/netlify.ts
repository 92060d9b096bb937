import type { Example } from '../example.ts'

const event = (name: string) => ({ 'X-Netlify-Event': name })
const deploy = {
  id: '5d3aa5b8e9a2e1000c2b0a01',
  site_id: '1fa2e3b5',
  name: 'acme-shop',
  state: 'ready',
  url: 'http://shop.example',
  ssl_url: 'https://shop.example',
  admin_url: 'https://app.netlify.com/sites/acme-shop',
  deploy_ssl_url: 'https://5d3aa5b8--acme-shop.netlify.app',
  branch: 'main',
  context: 'production',
  commit_ref: '1dc6aa69429bff4806ad6afe58d3d8f57e25973e',
  commit_url: 'https://github.com/acme/shop/commit/1dc6aa69429bff4806ad6afe58d3d8f57e25973e',
  title: 'Sell wheels',
  error_message: null as string | null,
  committer: 'ada',
}

export const NETLIFY_EXAMPLES: readonly Example[] = [
  {
    what: 'a deploy',
    headers: event('deploy_created'),
    body: deploy,
    messages: [
      {
        topic: 'acme-shop / main',
        text: ':check: [Deploy](https://5d3aa5b8--acme-shop.netlify.app/) of [acme-shop](https://shop.example/) from main (`Sell wheels` [1dc6aa6](https://github.com/acme/shop/commit/1dc6aa69429bff4806ad6afe58d3d8f57e25973e) by ada) is online.',
      },
    ],
  },
  {
    what: 'a deploy that begins',
    headers: event('deploy_building'),
    body: { ...deploy, title: null },
    messages: [
      {
        topic: 'acme-shop / main',
        text: ':hourglass: [Deploy](https://app.netlify.com/sites/acme-shop/deploys/5d3aa5b8e9a2e1000c2b0a01) of [acme-shop](https://shop.example/) from main ([1dc6aa6](https://github.com/acme/shop/commit/1dc6aa69429bff4806ad6afe58d3d8f57e25973e) by ada) is being built.',
      },
    ],
  },
  {
    what: 'a deploy that fails',
    headers: event('deploy_failed'),
    body: { ...deploy, error_message: 'Build script returned non-zero exit code: 2' },
    messages: [
      {
        topic: 'acme-shop / main',
        text: ':cross_mark: [Deploy](https://app.netlify.com/sites/acme-shop/deploys/5d3aa5b8e9a2e1000c2b0a01) of [acme-shop](https://shop.example/) from main (`Sell wheels` [1dc6aa6](https://github.com/acme/shop/commit/1dc6aa69429bff4806ad6afe58d3d8f57e25973e) by ada) has failed:\n\n~~~ quote\nBuild script returned non-zero exit code: 2\n~~~',
      },
    ],
  },
  {
    what: 'a deploy by hand that is locked',
    headers: event('deploy_locked'),
    body: { ...deploy, branch: null, commit_ref: null, commit_url: null, title: null, committer: null },
    messages: [
      {
        topic: 'acme-shop',
        text: ':locked: [Deploy](https://app.netlify.com/sites/acme-shop/deploys/5d3aa5b8e9a2e1000c2b0a01) of [acme-shop](https://shop.example/) is locked: newer ones are not published.',
      },
    ],
  },
  {
    what: 'a deploy that waits',
    headers: event('deploy_request_pending'),
    body: deploy,
    messages: [
      {
        topic: 'acme-shop / main',
        text: '[Deploy](https://app.netlify.com/sites/acme-shop/deploys/5d3aa5b8e9a2e1000c2b0a01) of [acme-shop](https://shop.example/) from main (`Sell wheels` [1dc6aa6](https://github.com/acme/shop/commit/1dc6aa69429bff4806ad6afe58d3d8f57e25973e) by ada) waits for approval.',
      },
    ],
  },
  {
    what: 'a form that somebody has sent',
    headers: event('submission_created'),
    body: {
      number: 12,
      form_name: 'contact',
      site_url: 'https://shop.example',
      human_fields: { Name: 'Ada', 'Your message': 'One *wheel*,\nplease' },
      data: { name: 'Ada', message: 'One wheel', ip: '192.0.2.1', referrer: 'https://shop.example/contact' },
    },
    messages: [
      {
        topic: 'contact',
        text: 'New submission of the form **contact** on [https://shop.example/contact](https://shop.example/contact):\n\n* Name: Ada\n* Your message: One &#42;wheel&#42;, please',
      },
    ],
  },
  {
    what: 'a deploy of a branch that nobody wants to hear of',
    headers: event('deploy_created'),
    body: deploy,
    address: { branches: 'next' },
    messages: [],
  },
  {
    what: 'another event',
    headers: event('split_test_activated'),
    body: {},
    unsupported: 'split_test_activated',
  },
]
