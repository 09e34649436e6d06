/** Settings of the client commands. This is the only file of the folder that reads the environment. */

/** Address, access token and API key of a service, so that the secrets need not be in the list of processes. */
export const readEnvironment = (): Record<'url' | 'token' | 'key', string | undefined> => ({
  url: process.env.CUSTOMER_ENGAGEMENT_URL,
  token: process.env.CUSTOMER_ENGAGEMENT_TOKEN,
  key: process.env.CUSTOMER_ENGAGEMENT_KEY,
})
