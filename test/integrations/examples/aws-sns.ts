import type { Example } from '../example.ts'

const ARN = 'arn:aws:sns:eu-central-1:123456789012:alarms'
const headers = (type: string) => ({
  'x-amz-sns-message-type': type,
  'x-amz-sns-topic-arn': ARN,
  'Content-Type': 'text/plain; charset=UTF-8',
})
const post = (Type: string, more: object) => ({
  Type,
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  TopicArn: ARN,
  Timestamp: '2026-11-02T10:40:00.000Z',
  SignatureVersion: '1',
  Signature: 'EXAMPLEpH+DcEwjAPg8O9mY8dReBSwksfg2S7WKQcikcNKWLQjwu6A4V',
  SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem',
  ...more,
})
const alarm = {
  AlarmName: 'shop-5xx',
  AlarmDescription: 'Too *many* errors',
  AWSAccountId: '123456789012',
  NewStateValue: 'ALARM',
  NewStateReason: 'Threshold Crossed: 1 datapoint [7.0] was greater than the threshold (5.0).',
  StateChangeTime: '2026-11-02T10:39:00.000+0000',
  Region: 'EU (Frankfurt)',
  OldStateValue: 'OK',
  Trigger: { MetricName: 'HTTPCode_5XX', Namespace: 'AWS/ApplicationELB', Threshold: 5 },
}
const SUBSCRIBE =
  'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=2336412f37'

export const AWS_SNS_EXAMPLES: readonly Example[] = [
  {
    what: 'an alarm',
    isShown: true,
    headers: headers('Notification'),
    body: post('Notification', {
      Subject: 'ALARM: "shop-5xx" in EU (Frankfurt)',
      Message: JSON.stringify(alarm),
    }),
    messages: [
      {
        topic: 'shop-5xx',
        text: ':alert: Alarm **shop-5xx** is on since <time:2026-11-02T10:39:00Z>:\n\n~~~ quote\nToo *many* errors\n~~~\n\n* Reason: Threshold Crossed: 1 datapoint &#91;7.0&#93; was greater than the threshold (5.0).\n* Region: EU (Frankfurt)\n* Account: 123456789012\n* Metric: HTTPCode_5XX',
      },
    ],
  },
  {
    what: 'the end of an alarm',
    headers: headers('Notification'),
    body: post('Notification', {
      Message: JSON.stringify({ ...alarm, NewStateValue: 'OK', AlarmDescription: null }),
    }),
    messages: [
      {
        topic: 'shop-5xx',
        text: ':checkbox: Alarm **shop-5xx** is over since <time:2026-11-02T10:39:00Z>:\n\n* Reason: Threshold Crossed: 1 datapoint &#91;7.0&#93; was greater than the threshold (5.0).\n* Region: EU (Frankfurt)\n* Account: 123456789012\n* Metric: HTTPCode_5XX',
      },
    ],
  },
  {
    what: 'a notification',
    headers: headers('Notification'),
    body: post('Notification', { Subject: 'Backup', Message: 'The backup is **done**.\n@**all**' }),
    messages: [{ topic: 'Backup', text: 'Backup:\n\n~~~ quote\nThe backup is **done**.\n@**all**\n~~~' }],
  },
  {
    what: 'a notification without a subject',
    body: post('Notification', { Subject: null, Message: '{"detail": {"state": "done"}}' }),
    messages: [
      {
        topic: 'alarms',
        text: 'A notification:\n\n~~~ quote\n{"detail": {"state": "done"}}\n~~~',
      },
    ],
  },
  {
    what: 'the question whether to subscribe',
    headers: headers('SubscriptionConfirmation'),
    body: post('SubscriptionConfirmation', {
      Token: '2336412f37',
      Message:
        'You have chosen to subscribe to the topic.\nTo confirm the subscription, visit the SubscribeURL.',
      SubscribeURL: SUBSCRIBE,
    }),
    messages: [
      {
        topic: 'alarms',
        text: 'AWS asks whether messages of **alarms** may come here. [Confirm the subscription](https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=2336412f37).',
      },
    ],
  },
  {
    what: 'the end of a subscription',
    headers: headers('UnsubscribeConfirmation'),
    body: post('UnsubscribeConfirmation', { Token: '2336412f37', SubscribeURL: SUBSCRIBE }),
    messages: [
      {
        topic: 'alarms',
        text: 'Messages of **alarms** do not come here any more. [Subscribe again](https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=2336412f37).',
      },
    ],
  },
  {
    what: 'values of other types',
    body: { Type: 'Notification', Message: { AlarmName: ['x'] }, Subject: 4 },
    messages: [{ topic: '4', text: 'Alarm **without a name** has changed.' }],
  },
  { what: 'something else', body: { Type: 'Postcard' }, unsupported: 'Postcard' },
]
