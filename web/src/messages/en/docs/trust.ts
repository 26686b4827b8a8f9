/** How each component of the trust score is earned, and what a level needs besides its score. */
export const trust: {
  components: Readonly<Record<string, (profileFields: number) => string>>
  needs: Readonly<Record<string, string>>
} = {
  components: {
    email_verified: () => 'The e-mail address is verified',
    domain_verified: () => 'The domain is verified',
    complete_profile: (fields) =>
      `For the filled share of ${fields} fields: description, logo, founding year, company size, city, country, phone number, support e-mail, GitHub or LinkedIn, trust center`,
    compliance_certifications: () => '5 for each certification that is named, up to 10',
    ai_certifications: () => 'An AI-specific certification is named',
    model_verified: () => 'A public model has a verified bundle',
    active_usage: () => '5 links were opened on distinct networks (a network counts once a day)',
    multiple_models: () => 'Two active, public models',
    experienced: () => '50 links were opened on distinct networks',
    business_presence: () => 'A GitHub or LinkedIn address is named',
    dedicated_support: () => 'A support address at the verified domain is named',
  },
  needs: {
    premium: 'a verified domain and e-mail address, a verified bundle of its own and 5 opened links',
    advanced: 'a verified domain and e-mail address, a verified bundle of its own and 5 opened links',
    standard: 'a verified domain and e-mail address',
    basic: 'a verified e-mail address',
    unverified: '',
  },
}
