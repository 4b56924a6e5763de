/** Whether a quote's customer asked for another one after it ended. */
export const wasAskedAnew = ({ answeredAt, endedAt }: { answeredAt: Date | null; endedAt: Date | null }) =>
  answeredAt !== null && endedAt !== null && answeredAt > endedAt
