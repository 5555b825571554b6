// What receivers found wrong with deliveries, until the test during which they came has ended.
export const deviations: string[] = [];
