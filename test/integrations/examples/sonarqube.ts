import type { Example } from '../example.ts'

const analysis = (status: string, more: object = {}) => ({
  serverUrl: 'https://sonar.example',
  taskId: 'AVh21JS2JepAEhwQ-b3u',
  status: 'SUCCESS',
  analysedAt: '2026-11-02T10:40:00+0100',
  revision: 'c739069ec7105e01303e8b3065a81141aad9f129',
  project: { key: 'engine', name: 'Engine', url: 'https://sonar.example/dashboard?id=engine' },
  branch: {
    name: 'main',
    type: 'BRANCH',
    isMain: true,
    url: 'https://sonar.example/dashboard?id=engine&branch=main',
  },
  qualityGate: {
    name: 'Sonar way',
    status,
    conditions: [
      {
        metric: 'new_security_rating',
        operator: 'GREATER_THAN',
        value: '1',
        status: 'OK',
        errorThreshold: '1',
      },
      { metric: 'new_coverage', operator: 'LESS_THAN', value: '71.4', status: 'ERROR', errorThreshold: '80' },
      {
        metric: 'new_duplicated_lines_density',
        operator: 'GREATER_THAN',
        status: 'NO_VALUE',
        errorThreshold: '3',
      },
    ],
  },
  properties: {},
  ...more,
})

export const SONARQUBE_EXAMPLES: readonly Example[] = [
  {
    what: 'a quality gate that is failed',
    isShown: true,
    body: analysis('ERROR'),
    messages: [
      {
        topic: 'Engine / main',
        text: ':cross_mark: Quality gate **Sonar way** of [Engine](https://sonar.example/dashboard?id=engine&branch=main) failed:\n\n* new security rating: 1 (ok, threshold 1)\n* new coverage: 71.4 (failed, threshold 80)\n* new duplicated lines density: no value (no value, threshold 3)',
      },
    ],
  },
  {
    what: 'a quality gate that is passed',
    body: { ...analysis('OK'), qualityGate: { name: 'Sonar *way*', status: 'OK', conditions: [] } },
    messages: [
      {
        topic: 'Engine / main',
        text: ':check: Quality gate **Sonar &#42;way&#42;** of [Engine](https://sonar.example/dashboard?id=engine&branch=main) passed.',
      },
    ],
  },
  {
    what: 'an analysis without a quality gate',
    body: analysis('', { qualityGate: undefined, branch: null }),
    messages: [
      { topic: 'Engine', text: '[Engine](https://sonar.example/dashboard?id=engine) was analysed.' },
    ],
  },
  {
    what: 'an analysis that fails',
    body: analysis('', { status: 'FAILED', qualityGate: undefined }),
    messages: [
      {
        topic: 'Engine / main',
        text: ':cross_mark: The analysis of [Engine](https://sonar.example/dashboard?id=engine&branch=main) failed.',
      },
    ],
  },
  {
    what: 'a branch that nobody wants to hear of',
    body: analysis('OK'),
    address: { branches: 'next' },
    messages: [],
  },
  {
    what: 'values of other types',
    body: { status: 'SUCCESS', project: ['engine'], qualityGate: { status: 'WARN', conditions: 'none' } },
    messages: [{ topic: 'SonarQube', text: ':warning: Quality gate of a project passed with warnings.' }],
  },
  { what: 'another status', body: analysis('PAINTED'), unsupported: 'PAINTED' },
]
