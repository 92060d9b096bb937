import type { Example } from '../example.ts'

export const RSS_EXAMPLES: readonly Example[] = [
  {
    what: 'an entry of a JSON Feed',
    body: {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'News of Acme',
      home_page_url: 'https://acme.example/',
      items: [
        {
          id: '1',
          url: 'https://acme.example/news/1',
          title: 'The engine [x]',
          content_html: '<p>It <b>counts</b>.</p>',
          date_published: '2026-11-02T10:40:00Z',
          authors: [{ name: 'Ada' }],
        },
      ],
    },
    messages: [
      {
        topic: 'News of Acme',
        text: '[The engine &#91;x&#93;](https://acme.example/news/1) by Ada (<time:2026-11-02T10:40:00Z>):\n\n~~~ quote\nIt counts.\n~~~',
      },
    ],
  },
  {
    what: 'entries, by RSS.app',
    body: {
      id: 'C0hdAD4XDKZ1WaTH',
      type: 'feed_update',
      feed: {
        id: 'g5hWr',
        title: 'News of Acme',
        source_url: 'https://acme.example/',
        rss_feed_url: 'https://rss.example/feeds/g5hWr.xml',
      },
      data: {
        items_new: [
          {
            url: 'https://acme.example/news/2',
            title: 'Two',
            description_text: 'More *turns*',
            authors: [],
            date_published: '2026-11-02T10:40:00Z',
          },
          { url: 'https://acme.example/news/3', title: null },
        ],
        items_changed: [],
      },
    },
    messages: [
      {
        topic: 'News of Acme',
        text: '[Two](https://acme.example/news/2) (<time:2026-11-02T10:40:00Z>):\n\n~~~ quote\nMore *turns*\n~~~',
      },
      { topic: 'News of Acme', text: '[https://acme.example/news/3](https://acme.example/news/3).' },
    ],
  },
  {
    what: 'an entry, by a hub',
    body: {
      status: { code: 200, http: 'Fetched', feed: 'https://acme.example/feed' },
      title: 'News of Acme',
      items: [
        {
          id: 'tag:4',
          title: 'Four',
          permalinkUrl: 'https://acme.example/news/4',
          published: 1793616000,
          summary: 'Short',
          actor: { displayName: 'Grace' },
        },
      ],
    },
    messages: [
      {
        topic: 'News of Acme',
        text: '[Four](https://acme.example/news/4) by Grace (<time:2026-11-02T10:40:00Z>):\n\n~~~ quote\nShort\n~~~',
      },
    ],
  },
  { what: 'a feed without entries', body: { title: 'News', items: [] }, messages: [] },
  {
    what: 'values of other types',
    body: { title: [], items: ['x', { title: 7, url: {} }, null] },
    messages: [{ topic: 'RSS', text: '7.' }],
  },
  { what: 'something else', body: { title: 'News' }, unsupported: 'unknown' },
]
